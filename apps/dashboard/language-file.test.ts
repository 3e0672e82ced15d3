import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  differencesIn,
  filesWithWords,
  findDictionaries,
  idOf,
  moduleOfModules,
  moduleOfTranslation,
  type TextsById,
  translations,
} from './language-file.ts';

const dictionaries = await findDictionaries();

test('every dictionary has a unique id that matches its folder and the name of its constant', () => {
  expect(dictionaries.length).toBeGreaterThan(70);
  for (const one of dictionaries) expect(one.id, one.file).toBe(idOf(one));
  expect(new Set(dictionaries.map(({ id }) => id)).size).toBe(dictionaries.length);
});

test('the type of translations includes every file with texts: npm run language -w @bottega/dashboard', () => {
  const known = readFileSync(join(import.meta.dirname, 'src/translations/modules.ts'), 'utf8');
  expect(known).toBe(moduleOfModules(filesWithWords()));
});

test('every translation has exactly the texts of the dictionaries', async () => {
  for (const file of globSync('*.ts', { cwd: translations })) {
    const { default: texts } = await import(join(translations, file));
    expect(differencesIn(texts, dictionaries), file).toEqual([]);
  }
});

test('a new language file starts with the English texts, and its functions return the same texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bottega-language-'));
  try {
    const path = join(folder, 'fr.ts');
    writeFileSync(path, moduleOfTranslation('Français', dictionaries));
    const texts = (await import(path)).default as TextsById;
    expect(differencesIn(texts, dictionaries)).toEqual([]);
    for (const { id, texts: english } of dictionaries) {
      for (const [name, text] of Object.entries(english)) {
        const said = texts[id]?.[name];
        if (typeof text === 'string') expect(said, `${id} ${name}`).toBe(text);
        else expect(sayings(said), `${id} ${name}`).toEqual(sayings(text));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** What a function says for several values, so that each of its branches is taken. */
const sayings = (text: unknown): string[] =>
  [0, 1, 2, 3_700, '', 'Text'].map((value) => {
    const values = Array.from({ length: 8 }, () => value);
    try {
      return (text as (...values: unknown[]) => string)(...values);
    } catch {
      return 'it takes other values';
    }
  });

test('existing texts are kept when others are added', async () => {
  const source = moduleOfTranslation('Français', dictionaries, {
    'words/common': { save: 'Enregistrer', textOfYesterday: 'x' },
  });
  expect(source).toContain('"save": "Enregistrer"');
  expect(source).toContain('"cancel": "Cancel"');
  expect(source).not.toContain('textOfYesterday');
});

test('the missing and superfluous texts of a translation are reported by name', () => {
  const found = [
    {
      id: 'a/a',
      file: '',
      constant: '',
      texts: { text: 'Text', count: (n: number) => `${n}`, reason: 'After {seconds} s' },
    },
    { id: 'a/b', file: '', constant: '', texts: { other: 'Other' } },
  ];
  const texts = {
    'a/a': { text: () => 'Texte', count: 'un', reason: 'Après {minutes} s', more: 'Plus' },
    'a/c': { gone: 'Parti' },
  };
  expect(differencesIn(texts, found)).toEqual([
    'a/a text: must be a string',
    'a/a count: must be a function',
    'a/a reason: must contain {seconds}',
    'a/b other: is missing',
    'a/a more: no dictionary has this text',
    'a/c gone: no dictionary has this text',
  ]);
  const tooMany = {
    'a/a': { text: 'Texte', count: (n: number, m: number) => `${n}${m}`, reason: 'Après {seconds} s' },
  };
  expect(differencesIn(tooMany, found.slice(0, 1))).toEqual(['a/a count: has 1 values and not 2']);
});
