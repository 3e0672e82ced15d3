import { expect, test } from 'vitest';
import { dictionary } from './dictionary.ts';
import { languageOf } from './languages.ts';
import { translatedBy } from './merged.ts';

const words = dictionary('a/a', {
  title: ['Title', 'Titel'],
  count: [(count: number) => `${count} files`, (count) => `${count} Dateien`],
  save: ['Keep', 'Behalten'],
});

test('a translation has its own texts, those of every dictionary, and English texts where a translation is missing', () => {
  const texts = {
    'words/common': { cancel: 'Annuler', save: 'Enregistrer' },
    'a/a': { title: 'Titre', save: 'Garder' },
  };
  const inFrench = translatedBy(texts);
  const french = inFrench(words);
  expect(french).toMatchObject({ title: 'Titre', save: 'Garder', cancel: 'Annuler', delete: 'Delete' });
  expect(french.count(2)).toBe('2 files');
  expect(inFrench(words)).toBe(french);
});

test('a language is found by its full tag, by its first part, or by another region', () => {
  expect(['de', 'de-AT', 'en-GB', 'en-xa', 'fr', '', undefined].map(languageOf)).toEqual([
    ...['de', 'de', 'en', 'en-XA', 'en', 'en', 'en'],
  ]);
});
