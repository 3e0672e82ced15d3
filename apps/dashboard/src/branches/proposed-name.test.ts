import { expect, test } from 'vitest';
import { proposedName } from './proposed-name.ts';

const named = (person: string, path: string | undefined, taken: string[] = []) =>
  proposedName(person, { path, from: 'release/1.2', taken });

test('the proposed name of a branch contains the names of the person and of the file', () => {
  expect(named('Ada Lovelace', '/src/main.test.ts')).toBe('ada-lovelace-main-test');
  expect(named('Jürgen Groß', '/Grüße.md')).toBe('jurgen-gross-grusse');
  expect(named('Ada', '/.gitignore')).toBe('ada-gitignore');
  expect(named('Ада', '/файл.txt')).toBe('ада-фаил');
});

test('without a file, the proposed name of a branch contains the name of its source branch', () => {
  expect(named('Ada', undefined)).toBe('ada-release-1-2');
});

test('the proposed name of a branch is never in use and never empty', () => {
  expect(named('Ada', '/a.ts', ['ada-a', 'ada-a-2', 'main'])).toBe('ada-a-3');
  expect(named('…', '/--')).toBe('changes');
  expect(named('x'.repeat(300), '/a')).toHaveLength(42);
});
