import { assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { useGitRepository } from './git-repository.fixture.ts';
import { isValidBranchName } from './ref-names.ts';

const { git } = useGitRepository();

function gitAccepts(name: string): boolean {
  try {
    git(['check-ref-format', '--branch', name]);
    return true;
  } catch {
    return false;
  }
}

test('the known cases are judged as git judges them', () => {
  const good = [
    'main',
    'feature/x',
    'a.b',
    'a@b',
    'a-',
    'é',
    '\u{1f600}',
    'head',
    'refs/heads/x',
    'a.lockx',
    'a}',
    'a,b',
    '@',
    '@@',
  ];
  const bad = [
    '',
    'HEAD',
    '-a',
    '.a',
    'a.',
    'a/.b',
    'a..b',
    'a.lock',
    'a.lock/b',
    'a b',
    'a~',
    'a^',
    'a:b',
    'a?',
    'a*',
  ];
  bad.push('a[', 'a\\b', '/a', 'a/', 'a//b', 'a@{b', 'a\u007f', 'a\tb', 'a\nb');
  for (const name of [...good, ...bad]) {
    expect(isValidBranchName(name), name).toBe(good.includes(name));
    expect(gitAccepts(name), name).toBe(good.includes(name));
  }
  // Neither can be given to a program.
  expect(isValidBranchName('a\0b')).toBe(false);
  expect(isValidBranchName('a\ud800')).toBe(false);
});

test('random names are judged as git judges them', () => {
  const piece = constantFrom(
    'a',
    'b',
    '/',
    '.',
    '..',
    '.lock',
    '-',
    '@',
    '{',
    'HEAD',
    '~',
    ' ',
    '\\',
    '\u007f',
    '\n',
    'é',
    '*',
  );
  const names = oneof(
    { weight: 4, arbitrary: string({ unit: piece, maxLength: 5 }) },
    { weight: 1, arbitrary: string({ unit: 'binary', maxLength: 5 }) },
  ).filter((name) => !name.includes('\0'));
  assert(
    property(names, (name) => {
      expect(isValidBranchName(name), JSON.stringify(name)).toBe(gitAccepts(name));
    }),
    { numRuns: 400, seed: 1 },
  );
});
