import { dictionary } from '../words/dictionary.ts';

/** Words of the shortcuts. They are separate from the other words of the shell, which are part of the first load. */
export const shortcutWords = dictionary('shell/shortcut', {
  searchProjects: ['Search in the list of projects', 'In der Projektliste suchen'],
  openFile: ['Open a file of the project', 'Datei des Projekts öffnen'],
  searchFiles: ['Search in all files of the project', 'In allen Dateien des Projekts suchen'],
  split: [
    'In the editor: two files side by side, or one again',
    'Im Editor: zwei Dateien nebeneinander, oder wieder eine',
  ],
  nextThread: ['In the editor: next thread of the review', 'Im Editor: nächste Diskussion des Reviews'],
  inReview: ['In the changes of a merge request', 'In den Änderungen eines Merge-Requests'],
  nextFile: ['Next or previous file', 'Nächste oder vorherige Datei'],
  nextStop: ['Next or previous thread or change', 'Nächste oder vorherige Diskussion oder Änderung'],
  markViewed: ['Mark the file as viewed', 'Datei als angesehen markieren'],
  commentLine: ['Comment on the focused line', 'Fokussierte Zeile kommentieren'],
  moveLine: ['Move between lines; with Shift, choose several', 'Zwischen Zeilen wechseln; mit Umschalt mehrere wählen'],
});
