import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { assertStarted } from './started.ts';

test('a program that does not exist causes an error that can be caught', async () => {
  const child = spawn('/nowhere/at-all');
  expect(() => assertStarted(child)).toThrow('/nowhere/at-all');
  await new Promise((resolve) => child.on('close', resolve));
});

/** Functions that start a process, each with a way to call it in a service without a free descriptor. */
const starts = [
  ['../processes/starter.ts', `await createStarter({ name: 'test' }).start({ script: 'true', args: [], env: {} })`],
  ['../../deployments/sandbox/network.ts', `await attachNetwork(['/bin/true'], 1)`],
  [
    '../../deployments/sandbox/process-driver.ts',
    `await processDriver({ executablePath: '/usr/bin' }).start({ id: 'x', directory: '/', command: 'true', limits: {}, port: null })`,
  ],
] as const;

/** Returns the exit code of a program of a few lines, which run after the last descriptor is taken. */
async function endWithoutDescriptors(file: string, name: string, lines: string): Promise<number> {
  const program = `import { openSync } from 'node:fs';
    import { ${name} } from '${new URL(file, import.meta.url).href}';
    try { for (;;) openSync('/dev/null'); } catch {}
    let code = 8;
    ${lines}
    setTimeout(() => process.exit(code), 100);`;
  const script = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"';
  const ended = promisify(execFile)('/bin/sh', ['-c', script, process.execPath, program]);
  return ended.then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

test.each(starts)('without free file descriptors, %s fails, and the service lives on', async (file, call) => {
  const [, name = ''] = /(\w+)\(/.exec(call) ?? [];
  expect(await endWithoutDescriptors(file, name, `try { ${call}; } catch { code = 7; }`)).toBe(7);
});

test('without free file descriptors, a tree is not removed, and the reason is reported', async () => {
  const call = `if (await removeTree('/nowhere/at-all', { ms: 1000 }) !== null) code = 7;`;
  expect(await endWithoutDescriptors('../../deployments/sandbox/remove-tree.ts', 'removeTree', call)).toBe(7);
});
