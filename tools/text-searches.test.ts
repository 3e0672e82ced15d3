import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strayTextSearches } from './text-searches.ts';

const refused = [
  ['the place of a text', 'text.indexOf(needle)', 'indexOf'],
  ['its last place', 'text.lastIndexOf(needle, 3)', 'lastIndexOf'],
  ['whether it is there', 'text.includes(needle)', 'includes'],
  ['what is between', 'text.split(needle)', 'split'],
  ['what is put in its place', "text.replaceAll(needle, '')", 'replaceAll'],
  ['a text that may be missing', 'maybe?.includes(needle)', 'includes'],
  ['a text that is put together', `text.includes('a' + needle)`, 'includes'],
  ['a text of two kinds', "text.replace(needle.length > 1 ? needle : /a/, '')", 'replace'],
  ['an expression', 'new RegExp(needle)', 'RegExp'],
  ['an expression that is put together', `RegExp('^' + needle)`, 'RegExp'],
] as const;

const allowed = [
  ['a literal', "text.includes('a')"],
  ['a constant', 'text.includes(constant)'],
  ['an expression between slashes', 'text.split(/a+/)'],
  ['a constant expression', 'text.match(expression)'],
  ['a list of texts', 'list.includes(needle)'],
  ['a few letters that are ours', "'abc'.includes(needle)"],
  [
    'its beginning and its end, which take no longer than the needle',
    'text.startsWith(needle) && text.endsWith(needle)',
  ],
] as const;

const given = `declare const text: string;
declare const needle: string;
declare const maybe: string | undefined;
declare const list: string[];
const constant = 'a';
const expression = /a+/;
`;

const root = mkdtempSync(join(tmpdir(), 'bottega-searches-'));
let broken: string[];

function write(place: string, text: string): void {
  const path = join(root, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const using = (code: string) =>
  `${given}export const found = ${code};\nexport default [maybe, list, constant, expression, text, needle];\n`;

beforeAll(() => {
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { strict: true, lib: ['esnext'], types: [] }, include: ['apps'] }),
  );
  for (const [index, [, code]] of refused.entries()) write(`apps/server/src/projects/r${index}.ts`, using(code));
  for (const [index, [, code]] of allowed.entries()) write(`apps/server/src/projects/a${index}.ts`, using(code));
  const [[, code]] = refused;
  for (const place of [
    'foundation/text-search/own.ts',
    'projects/free.test.ts',
    'testing/free.ts',
    'templates/pattern.ts',
  ]) {
    write(`apps/server/src/${place}`, using(code));
  }
  broken = strayTextSearches(root);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('a search for a text that is not a literal is reported:', () => {
  test.each(refused)('%s', (_what, code, way) => {
    const index = refused.findIndex(([, one]) => one === code);
    const told = `projects/r${index}.ts:7 has ${way} of a text that is no literal: use foundation/text-search/`;
    expect(broken.filter((line) => line.startsWith(`projects/r${index}.ts`))).toEqual([told]);
  });
});

describe('a search is allowed for', () => {
  test.each(allowed)('%s', (_what, code) => {
    const index = allowed.findIndex(([, one]) => one === code);
    expect(broken.filter((line) => line.startsWith(`projects/a${index}.ts`))).toEqual([]);
  });
});

test('tests, the folder of searches, and files that say why the text cannot become long are not checked', () => {
  expect(broken.filter((line) => !line.startsWith('projects/r'))).toEqual([]);
});
