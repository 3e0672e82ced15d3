import { dictionary } from '../words/dictionary.ts';

export const branchesWords = dictionary({
  title: ['Branches', 'Branches'],
  switcher: [(name: string) => `Branch: ${name}`, (name) => `Branch: ${name}`],
  all: ['All branches', 'Alle Branches'],
  find: ['Find a branch', 'Branch suchen'],
  some: [
    (shown: number, total: number) => `${shown} of ${total} branches shown. Search to find others.`,
    (shown, total) => `${shown} von ${total} Branches angezeigt. Über die Suche findest du die anderen.`,
  ],
  none: ['No branches yet', 'Noch keine Branches'],
  noneHint: ['The first commit creates the branch main.', 'Der erste Commit legt den Branch main an.'],
  isDefault: ['default', 'Standard'],
  updated: ['updated', 'aktualisiert'],
  newBranch: ['New branch', 'Neuer Branch'],
  name: ['Name', 'Name'],
  from: ['From', 'Ausgehend von'],
  create: ['Create branch', 'Branch anlegen'],
  created: [(name: string) => `Created ${name}`, (name) => `${name} angelegt`],
  files: ['Files', 'Dateien'],
  history: ['History', 'Verlauf'],
  compare: ['Compare', 'Vergleichen'],
  remove: ['Delete', 'Löschen'],
  removeTitle: [(name: string) => `Delete the branch ${name}?`, (name) => `Branch ${name} löschen?`],
  removeHint: [
    'Commits that are only on this branch are lost.',
    'Commits, die nur auf diesem Branch sind, gehen verloren.',
  ],
  removed: [(name: string) => `Deleted ${name}`, (name) => `${name} gelöscht`],
  ahead: [(count: number) => `${count} ahead`, (count) => `${count} voraus`],
  behind: [(count: number) => `${count} behind`, (count) => `${count} zurück`],
  even: ['up to date', 'auf demselben Stand'],
  unrelated: ['unrelated history', 'ohne gemeinsamen Verlauf'],

  readOnly: [
    (name: string) =>
      `This is the branch ${name}, read-only. The editor works on main. Use git to change other branches.`,
    (name) =>
      `Das ist der Branch ${name}, schreibgeschützt. Der Editor arbeitet auf main; andere Branches änderst du mit git.`,
  ],
  filter: ['Filter files', 'Dateien filtern'],
  noFiles: ['No files', 'Keine Dateien'],
  noFilesHint: ['There are no files on this branch.', 'Auf diesem Branch gibt es keine Dateien.'],
  noneChosen: ['Choose a file to read it', 'Wähle eine Datei, um sie zu lesen'],
  notText: ['This file is not text, or too large to show.', 'Diese Datei ist kein Text oder zu groß zum Anzeigen.'],
  download: ['Download', 'Herunterladen'],
  someFiles: [
    (shown: number, total: number) => `${shown} of ${total} files`,
    (shown, total) => `${shown} von ${total} Dateien`,
  ],
});
