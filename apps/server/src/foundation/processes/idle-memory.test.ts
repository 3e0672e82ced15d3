import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Time passes quickly in this program: a timer of ten seconds fires at once. */
const program = (busy: boolean) => `
  const set = globalThis.setInterval;
  globalThis.setInterval = (work, ms) => set(work, ms / 50);
  const { giveBackWhenIdle } = await import(${JSON.stringify(new URL('idle-memory.ts', import.meta.url).href)});
  const { getHeapStatistics } = await import('node:v8');
  const held = () => getHeapStatistics().total_physical_size;
  let kept = Array.from({ length: 300_000 }, (_, n) => ({ n, text: 'text ' + n }));
  kept = null;
  const before = held();
  giveBackWhenIdle();
  const end = Date.now() + 1_000;
  if (${busy}) await new Promise((resolve) => {
    const work = () => { const until = performance.now() + 5; while (performance.now() < until); Date.now() < end ? setImmediate(work) : resolve(); };
    work();
  });
  else while (held() > before / 2 && Date.now() < end + 20_000) await new Promise((resolve) => setTimeout(resolve, 20));
  process.stdout.write(JSON.stringify({ before, after: held(), gc: typeof gc }));
`;

async function run(busy: boolean): Promise<{ before: number; after: number; gc: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(busy)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return JSON.parse(said);
}

test('a process that is idle gives back what is no longer used, and leaves nobody a way to ask for that', async () => {
  const { before, after, gc } = await run(false);
  expect(after).toBeLessThan(before / 2);
  expect(gc).toBe('undefined');
});

test('a process that is at work is not held up', async () => {
  const { before, after } = await run(true);
  expect(after).toBeGreaterThan(before / 2);
});
