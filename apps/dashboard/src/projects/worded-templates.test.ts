import type { Template } from '@bottega/contract';
import { expect, test } from 'vitest';
import { builtInWords, categoryWords } from './built-in.words.ts';
import { inWords } from './worded-templates.ts';

const files = import.meta.glob<Template>('../../../../templates/*/template.json', { eager: true, import: 'default' });
const builtIn = Object.entries(files).map(([path, about]) => ({ ...about, id: path.split('/').at(-2) ?? '' }));

test('every built-in template has words in every language, and the English words are those of the service', () => {
  expect(builtIn.length).toBeGreaterThan(5);
  for (const template of builtIn) {
    expect(inWords(template, builtInWords.en)).toEqual(template);
    expect(inWords(template, builtInWords.de).description, template.id).not.toBe(template.description);
    expect(categoryWords.de, template.id).toHaveProperty(template.category);
  }
});

test('a template of a user keeps its own words', () => {
  const own = { id: 'tpl_01jd2m6vz8e3r9x5k7q4w1t0ab', name: 'Mine', description: 'My own' } as Template;
  expect(inWords(own, builtInWords.de)).toEqual(own);
});
