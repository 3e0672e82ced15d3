import { dictionary } from '../words/dictionary.ts';

export const viewWords = dictionary('diff/view', {
  view: ['Diff view', 'Ansicht der Diffs'],
  unified: ['Unified', 'Untereinander'],
  split: ['Split', 'Nebeneinander'],
});
