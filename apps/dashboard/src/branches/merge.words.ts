import { dictionary } from '../words/dictionary.ts';

export const mergeWords = dictionary({
  title: ['Compare branches', 'Branches vergleichen'],
  back: ['All branches', 'Alle Branches'],
  base: ['Into', 'In'],
  head: ['From', 'Von'],
  swap: ['Swap', 'Tauschen'],
  identical: ['Both are at the same commit.', 'Beide stehen auf demselben Commit.'],
  behind: [
    (head: string, base: string) => `${base} already contains all commits from ${head}.`,
    (head, base) => `${base} hat bereits alles, was ${head} hat.`,
  ],
  unrelated: [
    'These histories have no commit in common and cannot be merged.',
    'Diese Verläufe haben keinen gemeinsamen Commit und lassen sich nicht zusammenführen.',
  ],
  ahead: [
    (ahead: number, behind: number, base: string) =>
      `${ahead === 1 ? '1 commit' : `${ahead} commits`} ahead of ${base}, ${behind} behind.`,
    (ahead, behind, base) => `${ahead === 1 ? '1 Commit' : `${ahead} Commits`} vor ${base}, ${behind} zurück.`,
  ],
  fits: ['Can be merged without conflicts.', 'Lässt sich ohne Konflikte zusammenführen.'],
  conflictsIn: [
    (count: number) => (count === 1 ? 'There is a conflict in 1 file:' : `There are conflicts in ${count} files:`),
    (count) => (count === 1 ? 'In 1 Datei gibt es einen Konflikt:' : `In ${count} Dateien gibt es Konflikte:`),
  ],
  unknown: ['Conflicts could not be checked.', 'Es ließ sich nicht prüfen, ob es Konflikte gibt.'],
  commits: ['Commits', 'Commits'],
  someCommits: [
    (shown: number, total: number) => `The newest ${shown} of ${total}`,
    (shown, total) => `Die neuesten ${shown} von ${total}`,
  ],
  changed: ['Changed files', 'Geänderte Dateien'],

  openRequest: ['Open merge request', 'Merge-Request öffnen'],
  merge: ['Merge', 'Zusammenführen'],
  mergeInto: [
    (head: string, base: string) => `Merge ${head} into ${base}`,
    (head, base) => `${head} in ${base} zusammenführen`,
  ],
  resolve: ['Resolve conflicts', 'Konflikte lösen'],
  strategy: ['Strategy', 'Wie'],
  asMerge: ['Merge commit', 'Merge-Commit'],
  asMergeHint: [
    'Keeps all commits and adds a merge commit.',
    'Behält alle Commits und verbindet sie mit einem weiteren.',
  ],
  asSquash: ['Squash', 'Squash'],
  asSquashHint: ['All changes become one commit.', 'Alle Änderungen werden zu einem einzigen Commit.'],
  asForward: ['Fast-forward', 'Fast-forward'],
  asForwardHint: [
    'Moves the branch forward without a new commit. Possible only if the branch has no other commits.',
    'Rückt den Branch ohne neuen Commit vor. Nur möglich, wenn er keine eigenen Commits hat.',
  ],
  message: ['Message', 'Nachricht'],
  merged: [
    (head: string, base: string) => `Merged ${head} into ${base}`,
    (head, base) => `${head} in ${base} zusammengeführt`,
  ],
  nothing_to_merge: ['There is nothing to merge', 'Es gibt nichts zusammenzuführen'],
  not_fast_forward: [
    'The branch cannot be fast-forwarded because it has other commits',
    'Der Branch hat eigene Commits, ein Fast-forward ist nicht möglich',
  ],
  unrelated_histories: ['The histories have no commit in common', 'Die Verläufe haben keinen gemeinsamen Commit'],
  source_moved: [
    'The branch has new commits. Compare again',
    'Der Branch hat inzwischen neue Commits. Vergleiche noch einmal',
  ],
  target_moved: [
    'The target branch has new commits. Compare again',
    'Der Ziel-Branch hat inzwischen neue Commits. Vergleiche noch einmal',
  ],

  conflicts: ['Conflicts', 'Konflikte'],
  resolved: [
    (done: number, total: number) => `${done} of ${total} resolved`,
    (done, total) => `${done} von ${total} gelöst`,
  ],
  isResolved: ['resolved', 'gelöst'],
  isOpen: ['open', 'offen'],
  inBase: ['Before both changes', 'Vor beiden Änderungen'],
  on: [(branch: string) => `On ${branch}`, (branch) => `Auf ${branch}`],
  missing: ['The file does not exist here.', 'Die Datei gibt es hier nicht.'],
  noText: ['Not shown: not text, or too large.', 'Nicht angezeigt: kein Text oder zu groß.'],
  takeFrom: [(branch: string) => `Use ${branch}`, (branch) => `${branch} übernehmen`],
  deleteAsOn: [(branch: string) => `Delete, as on ${branch}`, (branch) => `Löschen, wie auf ${branch}`],
  result: [(path: string) => `Result: ${path}`, (path) => `Ergebnis: ${path}`],
  resultGone: ['The file will be deleted.', 'Die Datei wird gelöscht.'],
  resultTaken: [(branch: string) => `The file will match ${branch}.`, (branch) => `Die Datei wird wie auf ${branch}.`],
  markers: [
    'Edit the text until no conflict markers are left, or use one side.',
    'Bearbeite den Text, bis keine Konfliktmarken mehr darin stehen, oder übernimm eine Seite.',
  ],
  tooMany: [
    'There are more conflicts than can be resolved here. Merge in a clone and push.',
    'Es gibt mehr Konflikte, als sich hier lösen lassen. Führe sie in einem Klon zusammen und pushe.',
  ],
  cancel: ['Cancel', 'Abbrechen'],
  content: ['both changed it', 'beide haben sie geändert'],
  'add/add': ['both added it', 'beide haben sie hinzugefügt'],
  'modify/delete': ['changed and deleted', 'geändert und gelöscht'],
  'rename/delete': ['renamed and deleted', 'umbenannt und gelöscht'],
  'rename/rename': ['renamed differently', 'verschieden umbenannt'],
  'directory rename': ['in a renamed directory', 'in einem umbenannten Verzeichnis'],
  'file/directory': ['file and directory', 'Datei und Verzeichnis'],
  type: ['different kinds of file', 'verschiedene Arten von Dateien'],
  mode: ['different permissions', 'verschiedene Dateirechte'],
  submodule: ['submodule', 'Submodul'],
  other: ['conflict', 'Konflikt'],
});
