import { dictionary } from '../words/dictionary.ts';

export const mentionWords = dictionary('mentions/mention', {
  people: ['People to mention', 'Personen zum Erwähnen'],
  found: [
    (count: number) => `${count} ${count === 1 ? 'person' : 'people'} to mention. Arrow keys choose, Enter takes.`,
    (count) =>
      `${count} ${count === 1 ? 'Person' : 'Personen'} zum Erwähnen. Die Pfeiltasten wählen aus, Enter übernimmt.`,
  ],
});
