import { dictionary } from '../words/dictionary.ts';

export const overviewWords = dictionary({
  besides: ['At a glance', 'Auf einen Blick'],
  all: ['Show all', 'Alle zeigen'],
  online: ['Online', 'Online'],
  notOnline: ['Not online yet', 'Noch nicht online'],
  deploy: ['Deploy', 'Bereitstellen'],
  run: ['Run', 'Ausführen'],
  fork: ['Fork the project', 'Projekt forken'],
  forkHint: [
    'You can read this project. To change it, make a fork: a copy of your own, from which you offer your changes.',
    'Du kannst dieses Projekt lesen. Um es zu ändern, mache einen Fork: eine eigene Kopie, aus der du deine Änderungen anbietest.',
  ],
  forkOf: ['Fork of', 'Fork von'],
  offer: ['Offer changes', 'Änderungen anbieten'],
  commits: ['Latest commits', 'Letzte Commits'],
  noCommits: ['No commits yet', 'Noch keine Commits'],
  noCommitsHint: ['Every saved file creates a commit.', 'Jede gespeicherte Datei erzeugt einen.'],
  more: [(count: number) => `and ${count} more`, (count) => `und ${count} weitere`],
  noReadme: ['No README', 'Kein README'],
  noReadmeHint: [
    'Add a README.md file that says what the project is about. It is shown here.',
    'Eine Datei README.md sagt, worum es im Projekt geht. Sie wird hier angezeigt.',
  ],
  writeReadme: ['Write a README', 'Eine schreiben'],
  openFiles: ['Open files', 'Dateien öffnen'],
  nothingYet: ['This project has no files yet', 'Dieses Projekt hat noch keine Dateien'],
  nothingYetHint: [
    'Files will appear here when somebody adds them.',
    'Sobald jemand Dateien hinzufügt, erscheinen sie hier.',
  ],
  beginHint: [
    'Create or upload files in the editor, or push a repository that you already have.',
    'Lege im Editor Dateien an, lade welche hoch oder pushe ein vorhandenes Repository.',
  ],
  begin: ['Open the editor', 'Editor öffnen'],
  byGit: ['With git', 'Mit Git'],
  setRemote: ['In an existing repository', 'In einem vorhandenen Repository'],
  push: ['Then push it', 'Dann pushen'],
  clone: ['Or start with an empty clone', 'Oder mit einem leeren Klon beginnen'],
  makeKey: ['Create a key for these commands', 'Schlüssel für diese Befehle anlegen'],
  keyName: [(project: string) => `git for ${project}`, (project) => `Git für ${project}`],
  keyMade: [
    'The key is now in the commands and is not shown again. It can read and write files for 30 days.',
    'Der Schlüssel steht jetzt in den Befehlen und wird nicht noch einmal angezeigt. Er darf 30 Tage lang Dateien lesen und schreiben.',
  ],
});
