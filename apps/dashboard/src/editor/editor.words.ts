import { dictionary, type useWords } from '../words/words.tsx';

export const editorWords = dictionary({
  tree: ['Project files', 'Projektdateien'],
  newFile: ['New file', 'Neue Datei'],
  upload: ['Upload', 'Hochladen'],
  uploading: [
    (done: number, all: number) => `Uploading: ${done} of ${all}`,
    (done, all) => `Wird hochgeladen: ${done} von ${all}`,
  ],
  uploaded: [
    (count: number) => (count === 1 ? '1 file uploaded' : `${count} files uploaded`),
    (count) => (count === 1 ? '1 Datei hochgeladen' : `${count} Dateien hochgeladen`),
  ],
  dropHere: ['Drop files to upload them', 'Dateien hier ablegen, um sie hochzuladen'],
  quickOpen: ['Open a file…', 'Datei öffnen…'],
  search: ['Search in project', 'Im Projekt suchen'],
  searchHint: ['Text to find in all files', 'Text in allen Dateien suchen'],
  truncated: ['Only the first matches are shown.', 'Nur die ersten Treffer werden angezeigt.'],
  empty: ['This project has no files yet', 'Dieses Projekt hat noch keine Dateien'],
  emptyHint: [
    'Create a file, drop files here, or push with git.',
    'Lege eine Datei an, ziehe Dateien hierher, oder pushe mit git.',
  ],
  emptyReader: [
    'Files will appear here when somebody adds them.',
    'Dateien erscheinen hier, sobald jemand welche hinzufügt.',
  ],
  choose: ['Choose a file', 'Wähle eine Datei'],
  chooseHint: [
    'Pick one in the tree, or press Ctrl+P and type its name. Ctrl+S saves, Ctrl+Shift+F searches all files.',
    'Wähle im Baum eine aus, oder drücke Strg+P und gib ihren Namen ein. Strg+S speichert, Strg+Umschalt+F durchsucht alle Dateien.',
  ],
  actions: [(name: string) => `Actions for ${name}`, (name) => `Aktionen für ${name}`],
  newHere: ['New file here', 'Neue Datei hier'],
  move: ['Rename or move', 'Umbenennen oder verschieben'],
  download: ['Download', 'Herunterladen'],
  history: ['History', 'Verlauf'],
  path: ['Path', 'Pfad'],
  pathHint: ['Missing folders are created.', 'Fehlende Ordner werden angelegt.'],
  saving: ['Saving…', 'Wird gespeichert…'],
  unsaved: ['Unsaved changes', 'Nicht gespeicherte Änderungen'],
  readOnly: ['Read-only', 'Schreibgeschützt'],
  close: [(name: string) => `Close ${name}`, (name) => `${name} schließen`],
  openFiles: ['Open files', 'Offene Dateien'],
  deleteTitle: [(path: string) => `Delete ${path}?`, (path) => `${path} löschen?`],
  deleteHint: ['You can restore it from the history.', 'Du kannst sie aus dem Verlauf wiederherstellen.'],
  deleteFolderHint: [
    'Everything in it is deleted in one commit. You can restore files from the history.',
    'Alles darin wird in einem Commit gelöscht. Du kannst Dateien aus dem Verlauf wiederherstellen.',
  ],
  deleted: [(path: string) => `Deleted ${path}`, (path) => `${path} gelöscht`],
  leave: ['You have unsaved changes', 'Du hast nicht gespeicherte Änderungen'],
  leaveYes: ['Leave without saving', 'Ohne Speichern verlassen'],
  closeTitle: ['Close without saving?', 'Ohne Speichern schließen?'],
  closeYes: ['Close without saving', 'Ohne Speichern schließen'],
  binary: ['This file is not text.', 'Diese Datei ist keine Textdatei.'],
  large: ['This file is too large to edit here.', 'Diese Datei ist zu groß, um sie hier zu bearbeiten.'],
  conflict: ['Somebody else changed this file', 'Jemand anderes hat diese Datei geändert'],
  conflictHint: [
    'The stored version is on the left, yours is on the right. You can edit the right side before you save it.',
    'Links steht die gespeicherte Version, rechts deine. Du kannst die rechte Seite vor dem Speichern bearbeiten.',
  ],
  theirs: ['Discard mine', 'Meine verwerfen'],
  mine: ['Save the right side', 'Rechte Seite speichern'],
  content: [(path: string) => `Content of ${path}`, (path) => `Inhalt von ${path}`],
});

export type EditorWords = ReturnType<typeof useWords<(typeof editorWords)['en']>>;
