import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

type Doing = 'nothing' | 'work' | 'requests';

/** Time passes quickly in this program: a timer of ten seconds fires at once. */
const program = (doing: Doing, objects: number) => `
  const set = globalThis.setInterval;
  globalThis.setInterval = (work, ms) => set(work, ms / 50);
  const { giveBackWhenIdle } = await import(${JSON.stringify(new URL('idle-memory.ts', import.meta.url).href)});
  const { channel } = await import('node:diagnostics_channel');
  const { getHeapStatistics } = await import('node:v8');
  const held = () => getHeapStatistics().total_physical_size;
  let kept = Array.from({ length: ${objects} }, (_, n) => ({ n, text: 'text ' + n }));
  kept = null;
  const before = held();
  giveBackWhenIdle();
  const end = Date.now() + 1_000;
  if (${doing === 'work'}) await new Promise((resolve) => {
    const work = () => { const until = performance.now() + 5; while (performance.now() < until); Date.now() < end ? setImmediate(work) : resolve(); };
    work();
  });
  else if (${doing === 'requests'}) while (Date.now() < end) {
    for (let count = 0; count < 5; count++) channel('http.server.request.start').publish({});
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  else while (held() > before / 2 && Date.now() < end + 20_000) await new Promise((resolve) => setTimeout(resolve, 20));
  process.stdout.write(JSON.stringify({ before, after: held(), gc: typeof gc }));
`;

async function run(doing: Doing, objects = 300_000): Promise<{ before: number; after: number; gc: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(doing, objects)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return JSON.parse(said);
}

test('an idle process gives back unused memory, and leaves no way to trigger that', async () => {
  const { before, after, gc } = await run('nothing');
  expect(after).toBeLessThan(before / 2);
  expect(gc).toBe('undefined');
});

test('a process whose heap is large because of garbage gives it back', async () => {
  const { before, after } = await run('nothing', 4_000_000);
  expect(before).toBeGreaterThan(192 * 2 ** 20);
  expect(after).toBeLessThan(before / 2);
});

test.for(['work', 'requests'] as const)('a process that is busy with %s is not held up', async (doing) => {
  const { before, after } = await run(doing);
  expect(after).toBeGreaterThan(before / 2);
});
