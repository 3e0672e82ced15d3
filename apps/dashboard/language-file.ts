import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Text = string | ((...values: never[]) => string);
export type Texts = Readonly<Record<string, Text>>;
/** All texts in one language, by the id of their dictionary. */
export type TextsById = Readonly<Record<string, Texts>>;
/** `file` is relative to `src`, and `constant` is the name of the dictionary in it. */
export type Found = { id: string; file: string; constant: string; texts: Texts };

const src = join(import.meta.dirname, 'src');
export const translations = join(src, 'translations/texts');

type Dictionary = { id: string; names: string[]; en: Texts };
const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === 'object' && value !== null && 'names' in value && 'id' in value;

export const filesWithWords = (): string[] => globSync('**/*.words.ts', { cwd: src }).sort();

/** All dictionaries with their English texts, and the texts that every dictionary includes. */
export async function findDictionaries(): Promise<Found[]> {
  const { common } = await import('./src/words/common.ts');
  const shared = Object.fromEntries(Object.entries(common).map(([name, [english]]) => [name, english]));
  const found = await Promise.all(filesWithWords().map(dictionariesIn));
  return [{ id: 'words/common', file: 'words/common.ts', constant: 'common', texts: shared }, ...found.flat()];
}

async function dictionariesIn(file: string): Promise<Found[]> {
  const module: Record<string, unknown> = await import(join(src, file));
  return Object.entries(module).flatMap(([constant, value]) => {
    if (!isDictionary(value)) return [];
    const { id, names, en } = value;
    return [{ id, file, constant, texts: Object.fromEntries(names.map((name) => [name, en[name] ?? ''])) }];
  });
}

/** The id that a dictionary must have. */
export const idOf = ({ file, constant }: Pick<Found, 'file' | 'constant'>): string =>
  `${dirname(file)}/${constant.replace(/Words$/, '')}`;

/** What a translation lacks, and what it has and should not have. */
export function differencesIn(translation: TextsById, dictionaries: readonly Found[]): string[] {
  const known = new Map(dictionaries.map(({ id, texts }) => [id, texts]));
  const lacking = dictionaries.flatMap(({ id, texts }) =>
    Object.entries(texts).flatMap(([name, english]) => whatIsWrong(`${id} ${name}`, english, translation[id]?.[name])),
  );
  const excess = Object.entries(translation).flatMap(([id, texts]) =>
    Object.keys(texts)
      .filter((name) => !Object.hasOwn(known.get(id) ?? {}, name))
      .map((name) => `${id} ${name}: no dictionary has this text`),
  );
  return [...lacking, ...excess];
}

const placeholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join(' ');

function whatIsWrong(name: string, english: Text, text: Text | undefined): string[] {
  if (text === undefined) return [`${name}: is missing`];
  if (typeof english === 'string' && typeof text === 'string') {
    const values = placeholders(english);
    return placeholders(text) === values ? [] : [`${name}: must contain ${values || 'no values'}`];
  }
  if (typeof text === 'string') return [`${name}: must be a function`];
  if (typeof english === 'string') return [`${name}: must be a string`];
  return text.length > english.length ? [`${name}: has ${english.length} values and not ${text.length}`] : [];
}

/** The module that the type of a translation is made of. */
export const moduleOfModules = (files: readonly string[]): string =>
  `${[
    '/* Written by `npm run language -w @bottega/dashboard`. */',
    '',
    '/** Every file with texts. */',
    'export type Modules =',
    ...files.map((file) => `  | typeof import('../${file}')`),
  ].join('\n')};\n`;

/** The file of a language: its own texts as far as there are any, and the English ones. Unknown texts are left out. */
export function moduleOfTranslation(name: string, dictionaries: readonly Found[], known: TextsById = {}): string {
  const parts = dictionaries.map(({ id, texts }) => {
    const lines = Object.entries(texts).map(
      ([text, english]) => `    ${JSON.stringify(text)}: ${sourceOf(known[id]?.[text] ?? english)},`,
    );
    return [`  ${JSON.stringify(id)}: {`, ...lines, '  },'].join('\n');
  });
  return [
    "import type { Translation } from '../translation.ts';",
    '',
    `/** ${name}. \`npm run language -w @bottega/dashboard\` adds texts that are new, in English, and keeps no comments. */`,
    'export default {',
    ...parts,
    '} satisfies Translation;\n',
  ].join('\n');
}

const sourceOf = (text: Text): string => (typeof text === 'string' ? JSON.stringify(text) : text.toString());

export const languageOfFile = (file: string): string => basename(file, '.ts');
