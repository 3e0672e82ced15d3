import { dictionary } from '../words/dictionary.ts';

/** The threads of a merge request, shown in the editor. */
export const editorThreadsWords = dictionary('merge-requests/editorThreads', {
  title: ['Review', 'Review'],
  open: [
    (count: number) => (count === 0 ? 'Review' : `Review (${count})`),
    (count) => (count === 0 ? 'Review' : `Review (${count})`),
  ],
  marks: [
    (count: number) => (count === 1 ? '1 thread' : `${count} threads`),
    (count) => (count === 1 ? '1 Diskussion' : `${count} Diskussionen`),
  ],
  show: ['Show threads of the merge request', 'Diskussionen des Merge-Requests zeigen'],
  none: ['No threads on lines of this file', 'Keine Diskussionen zu Zeilen dieser Datei'],
  line: [(line: number) => `Line ${line}`, (line) => `Zeile ${line}`],
  gone: ['These lines are not in this text.', 'Diese Zeilen gibt es in diesem Text nicht.'],
  elsewhere: [(count: number) => `In other files (${count})`, (count) => `In anderen Dateien (${count})`],
});
