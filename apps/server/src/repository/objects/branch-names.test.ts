import { isGitBranchName, isValidBranchName } from '@bottega/contract';
import { constantFrom, oneof, sample, string } from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { useGitRepository } from './git-repository.fixture.ts';

const { runScript } = useGitRepository();

const judge = 'for name; do git check-ref-format --branch "$name" >/dev/null 2>&1 && echo good || echo bad; done';

/** The names that git accepts for branches. */
function acceptedByGit(names: string[]): string[] {
  const verdicts = runScript(judge, names).trim().split('\n');
  expect(verdicts).toHaveLength(names.length);
  return names.filter((_name, index) => verdicts[index] === 'good');
}

test('known names of branches are judged as git judges them', () => {
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
  const all = [...good, ...bad];
  expect(all.filter(isGitBranchName)).toEqual(good);
  expect(acceptedByGit(all)).toEqual(good);
  // Neither can be passed to a program.
  expect(isGitBranchName('a\0b')).toBe(false);
  expect(isGitBranchName('a\ud800')).toBe(false);
});

test('git accepts `@` as a branch, but it stands for HEAD, so it is not a valid branch name', () => {
  expect(['@', 'main', '@@', 'a@b', '-a'].filter(isValidBranchName)).toEqual(['main', '@@', 'a@b']);
});

test('random names of branches are judged as git judges them', () => {
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
  const some = sample(names, { numRuns: fuzzRuns(1_000, 200), seed: 1 });
  expect(some.filter(isGitBranchName)).toEqual(acceptedByGit(some));
});
