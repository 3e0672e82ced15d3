import { dictionary } from '../words/dictionary.ts';

export const historyWords = dictionary('history/history', {
  title: ['History', 'Verlauf'],
  ofPath: [(path: string) => `Commits that changed ${path}`, (path) => `Commits, die ${path} geändert haben`],
  all: ['Show all commits', 'Alle Commits zeigen'],
  none: ['No commits yet', 'Noch keine Commits'],
  noneHint: [
    'All commits appear here: one for each file that you save, and all those that you push.',
    'Hier erscheinen alle Commits: einer für jedes Speichern und alle, die gepusht werden.',
  ],
  off: ['Version control is off', 'Die Versionsverwaltung ist aus'],
  offHint: [
    'Turn it on in the project settings to keep a history of changes.',
    'Schalte sie in den Projekteinstellungen ein, um Änderungen aufzuzeichnen.',
  ],
  by: [(name: string) => `by ${name}`, (name) => `von ${name}`],
  changed: [
    (count: number) => (count === 1 ? '1 file changed' : `${count} files changed`),
    (count) => (count === 1 ? '1 Datei geändert' : `${count} Dateien geändert`),
  ],
  shown: [
    (count: number) => (count === 1 ? '1 changed file shown' : `${count} changed files shown`),
    (count) => (count === 1 ? '1 geänderte Datei angezeigt' : `${count} geänderte Dateien angezeigt`),
  ],
  truncated: [
    'This commit is too large to show in full. Some files or diffs are missing here. Clone the project to see all of it.',
    'Dieser Commit ist zu groß, um ihn vollständig anzuzeigen. Einige Dateien oder Diffs fehlen hier. Klone das Projekt, um alles zu sehen.',
  ],
  findFile: ['Find a file in this commit', 'Datei in diesem Commit suchen'],
  restore: ['Restore this version', 'Diese Version wiederherstellen'],
  restored: [(path: string) => `Restored ${path}`, (path) => `${path} wiederhergestellt`],
  restoreTitle: [(path: string) => `Restore ${path}?`, (path) => `${path} wiederherstellen?`],
  restoreHint: [
    'This creates a new commit. The current version stays in the history.',
    'Dadurch entsteht ein neuer Commit. Die aktuelle Version bleibt im Verlauf.',
  ],
  noDiff: ['No diff: the file is binary or too large.', 'Kein Diff: Die Datei ist binär oder zu groß.'],
  sameContent: ['The content is the same.', 'Der Inhalt ist gleich.'],
  added: ['added', 'hinzugefügt'],
  modified: ['modified', 'geändert'],
  deleted: ['deleted', 'gelöscht'],
  renamed: ['renamed', 'umbenannt'],
  was: [(path: string) => `was ${path}`, (path) => `vorher ${path}`],
  diff: [(path: string) => `Changes in ${path}`, (path) => `Änderungen an ${path}`],
  back: ['All commits', 'Alle Commits'],
  message: [
    (path: string, sha: string) => `Restore ${path} as of ${sha}`,
    (path, sha) => `${path} wiederherstellen, Stand ${sha}`,
  ],
});
