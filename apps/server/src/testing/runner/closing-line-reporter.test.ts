import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'bottega-reporter-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(
  join(directory, 'some.test.js'),
  `test('runs', () => undefined);
   describe.skip('in a sandbox', { meta: { missing: 'bubblewrap must be installed' } }, () => {
     test('one', () => undefined);
     describe('deeper', () => test('two', () => undefined));
   });
   test('says why itself', ({ skip }) => skip('there is no network'));`,
);

const failing = join(directory, 'failing');
mkdirSync(failing);
writeFileSync(join(failing, 'other.test.js'), "test('fails', () => { throw new Error('no luck'); });");

const vitest = join(fileURLToPath(import.meta.resolve('vitest/package.json')), '../vitest.mjs');
const reporter = join(import.meta.dirname, 'closing-line-reporter.ts');

function runTests(
  environment: Record<string, string>,
  root = directory,
): Promise<{ code: number | null; lines: string[] }> {
  const args = [vitest, 'run', '--globals', `--root=${root}`, '--exclude=failing/**', `--reporter=${reporter}`];
  const env = { PATH: process.env.PATH, HOME: directory, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, stdout) => {
      resolve({ code: child.exitCode, lines: stdout.split('\n').filter(Boolean) });
    });
  });
}

const closing = [
  '*** NOT TESTED: 2 tests: bubblewrap must be installed ***',
  '*** NOT TESTED: 1 tests: there is no network ***',
];

describe('a run that skips tests', () => {
  test('says in one line per reason what the machine lacks, and passes', async () => {
    expect(await runTests({})).toEqual({ code: 0, lines: [...closing, '1 passed, 0 failed, 3 skipped'] });
  });

  test('fails in CI, and names each skipped test', async () => {
    const { code, lines } = await runTests({ CI: 'true' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      ...closing,
      'SKIPPED some.test.js > in a sandbox > one',
      'SKIPPED some.test.js > in a sandbox > deeper > two',
      'SKIPPED some.test.js > says why itself',
      '1 passed, 0 failed, 3 skipped',
    ]);
  });
});

test('a failing test is printed with its error before the run ends', async () => {
  const { code, lines } = await runTests({}, failing);
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^FAILED other\.test\.js > fails: no luck \(\S*other\.test\.js:1\)$/),
    '0 passed, 1 failed',
  ]);
});
