import { dictionary } from '../words/dictionary.ts';

export const changeWords = dictionary('editor/change', {
  changedBy: [
    (name: string | undefined) => `Changed by ${name ?? 'somebody else'}`,
    (name) => `Geändert von ${name ?? 'jemand anderem'}`,
  ],
  deletedBy: [
    (name: string | undefined) => `Deleted by ${name ?? 'somebody else'}. Saving creates the file again.`,
    (name) => `Gelöscht von ${name ?? 'jemand anderem'}. Wenn du speicherst, wird die Datei wieder angelegt.`,
  ],
  otherDraft: [
    'Another window left different unsaved changes to this file.',
    'Ein anderes Fenster hat andere nicht gespeicherte Änderungen an dieser Datei hinterlassen.',
  ],
  otherDraftTitle: ['Two drafts of this file', 'Zwei Entwürfe dieser Datei'],
  otherDraftHint: [
    'The draft from the other window is on the left. The draft from this window is on the right. You can edit the right side.',
    'Links steht der Entwurf des anderen Fensters, rechts der Entwurf dieses Fensters. Du kannst die rechte Seite bearbeiten.',
  ],
  takeLeft: ['Use the left side', 'Linke Seite verwenden'],
  takeRight: ['Use the right side', 'Rechte Seite verwenden'],
  compare: ['Compare', 'Vergleichen'],
  reload: ['Discard my changes and reload', 'Meine verwerfen und neu laden'],
  closeFile: ['Close the file', 'Datei schließen'],
  changes: [(count: number) => `Changes (${count})`, (count) => `Änderungen (${count})`],
  title: ['Unsaved changes', 'Nicht gespeicherte Änderungen'],
  message: ['Message', 'Nachricht'],
  messageHint: ['What this commit does, in one line', 'Was dieser Commit bewirkt, in einer Zeile'],
  commit: [
    (count: number) => (count === 1 ? 'Commit 1 file' : `Commit ${count} files`),
    (count) => (count === 1 ? '1 Datei committen' : `${count} Dateien committen`),
  ],
  committed: [(subject: string) => `Committed: ${subject}`, (subject) => `Committet: ${subject}`],
  include: [(path: string) => `Include ${path}`, (path) => `${path} aufnehmen`],
  diffOf: [(path: string) => `Changes to ${path}`, (path) => `Änderungen an ${path}`],
  tooLong: ['This diff is too long to show here.', 'Dieser Vergleich ist zu lang, um ihn hier anzuzeigen.'],
  discard: ['Discard', 'Verwerfen'],
  discardTitle: [
    (path: string) => `Discard your changes to ${path}?`,
    (path) => `Deine Änderungen an ${path} verwerfen?`,
  ],
  none: ['No changes', 'Keine Änderungen'],
  stale: [
    (path: string) => `${path} was changed by somebody else, so nothing was committed. Compare the versions first.`,
    (path) =>
      `${path} wurde von jemand anderem geändert, deshalb wurde nichts committet. Vergleiche zuerst die Versionen.`,
  ],
  restored: [
    (count: number) => (count === 1 ? 'Restored a draft of 1 file' : `Restored drafts of ${count} files`),
    (count) =>
      count === 1 ? 'Entwurf von 1 Datei wiederhergestellt' : `Entwürfe von ${count} Dateien wiederhergestellt`,
  ],
});
