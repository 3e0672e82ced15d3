import { dictionary } from '../words/dictionary.ts';

export const statusWords = dictionary('editor/status', {
  title: ['Status of the editor', 'Status des Editors'],
  at: [(line: number, column: number) => `Ln ${line}, Col ${column}`, (line, column) => `Z. ${line}, Sp. ${column}`],
  selected: [(count: number) => `(${count} selected)`, (count) => `(${count} ausgewählt)`],
  goTo: ['Go to a line', 'Gehe zu einer Zeile'],
  plain: ['Plain text', 'Nur Text'],
  live: [
    (count: number) => (count === 1 ? 'Live: only you' : `Live: ${count} people`),
    (count) => (count === 1 ? 'Live: nur du' : `Live: ${count} Personen`),
  ],
  workspace: [(status: string) => `Workspace ${status.toLowerCase()}`, (status) => `Workspace ${status.toLowerCase()}`],
});
