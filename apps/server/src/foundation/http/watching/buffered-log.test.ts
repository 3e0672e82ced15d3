import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { childEnvironment } from '../../../testing/parts/child-environment.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';

const program = new URL('buffered-log.fixture.ts', import.meta.url).pathname;
const running = new Set<ReturnType<typeof start>['child']>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function start(end: string) {
  const child = spawn(process.execPath, [program, end], { env: childEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] });
  running.add(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number);
  return { child, ended, lines: () => text.split('\n').slice(0, -1) };
}

test.each(['return', 'exit', 'throw'])('no line is lost if the process ends by %s', async (end) => {
  const { ended, lines } = start(end);
  expect(await ended).toBe(end === 'throw' ? 1 : 0);
  expect(lines().map((line) => JSON.parse(line).number)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

test('lines are held back only for a moment', async () => {
  const { child, ended, lines } = start('wait');
  await waitFor('the last line is there', () => lines().length === 1_000);
  child.stdin.end();
  expect(await ended).toBe(0);
});

test('a warning is written at once, with all lines that were held back before it', async () => {
  const { lines } = start('warn');
  await waitFor('the warning is there', () => lines().length === 1_001);
  expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({ level: 'warn', msg: 'something is wrong' });
});

test('the process ends even if nobody reads its log any more', async () => {
  const { child, ended } = start('wait');
  child.stdout.destroy();
  child.stdin.end();
  expect(await ended).toBe(0);
});
