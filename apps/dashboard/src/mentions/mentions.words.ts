import { dictionary } from '../words/dictionary.ts';

export const mentionWords = dictionary('mentions/mention', {
  people: ['People to mention', 'Personen zum Erwähnen'],
  found: [
    (count: number) =>
      `${count} ${count === 1 ? 'person' : 'people'} to mention. Choose with the arrow keys, then press Enter.`,
    (count) =>
      `${count} ${count === 1 ? 'Person' : 'Personen'} zum Erwähnen. Die Pfeiltasten wählen aus, Enter übernimmt.`,
  ],
});
