import { expect, test } from 'vitest';
import { dictionary } from './dictionary.ts';
import { languageOf } from './languages.ts';
import { translatedBy } from './merged.ts';
import { pseudo } from './pseudo.ts';
import { pseudoSentence, pseudoText } from './pseudo-text.ts';
import type { Translation } from './translation.ts';

const words = dictionary('a/a', {
  title: ['Title', 'Titel'],
  count: [(count: number) => `${count} files`, (count) => `${count} Dateien`],
  save: ['Keep', 'Behalten'],
});

test('a translation has its own texts, those of every dictionary, and English ones where it lacks some', () => {
  const texts = {
    'words/common': { cancel: 'Annuler', save: 'Enregistrer' },
    'a/a': { title: 'Titre', save: 'Garder' },
  };
  const inFrench = translatedBy(texts as unknown as Translation);
  const french = inFrench(words);
  expect(french).toMatchObject({ title: 'Titre', save: 'Garder', cancel: 'Annuler', delete: 'Delete' });
  expect(french.count(2)).toBe('2 files');
  expect(inFrench(words)).toBe(french);
});

test('the pseudo-language is longer, has no plain letter, and leaves values as they are', () => {
  expect(pseudoText('Save all')).toBe('Šååṽéé ååļļ');
  expect(pseudoText('After {seconds} s')).toBe('Åƒţééŕ {seconds} š');
  const said = pseudoSentence((name, count) => `${name} has ${count} files`);
  expect(said('index.html', 2)).toBe('index.html ĥååš 2 ƒîîļééš');
  expect(pseudo['kit/kit'].loading).toBe('Ļööååðîîñĝ');
});

test('a language is found by its whole tag, by its first part, or by another region', () => {
  expect(['de', 'de-AT', 'en-GB', 'en-xa', 'fr', '', undefined].map(languageOf)).toEqual([
    ...['de', 'de', 'en', 'en-XA', 'en', 'en', 'en'],
  ]);
});
