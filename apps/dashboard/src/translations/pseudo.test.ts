import { expect, test } from 'vitest';
import pseudo from './pseudo/en-XA.ts';
import { pseudoSentence, pseudoText } from './pseudo-text.ts';

test('the pseudo-language is longer than English, has no plain letters, and leaves values unchanged', () => {
  expect(pseudoText('Save all')).toBe('Šååṽéé ååļļ');
  expect(pseudoText('After {seconds} s')).toBe('Åƒţééŕ {seconds} š');
  const said = pseudoSentence((name, count) => `${name} has ${count} files`);
  expect(said('index.html', 2)).toBe('index.html ĥååš 2 ƒîîļééš');
  expect(pseudo['kit/kit'].loading).toBe('Ļööååðîîñĝ');
});
