import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { describeUnless } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { findCgroups } from './cgroups.ts';
import { createStarter, type Starter } from './starter.ts';

let starter = createStarter({ name: 'test' });
afterEach(async () => {
  await starter.close();
  starter = createStarter({ name: 'test' });
});

const run = (script: string, args: string[] = [], by: Starter = starter) =>
  by.start({ script, args, env: { PATH: '/usr/bin:/bin', NAME: 'x' } });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a process gets its arguments, its environment and nothing else of ours', async () => {
  const started = await run('echo "$1 $NAME $HOME"; env | grep -c =', ['a b']);
  expect(await text(started.stdout)).toMatch(/^a b x \n[1-5]\n$/);
  expect(await started.ended).toEqual({ code: 0, words: '' });
});

test('every byte passes, in both directions', async () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024, 'abcdefg');
  const started = await run('exec cat');
  started.stdin.end(bytes);
  expect(await text(started.stdout)).toBe(bytes.toString());
});

test('the output of a short process is not lost, however many are started together', async () => {
  const all = Array.from({ length: 40 }, async (_one, index) => {
    const started = await run('echo "$1"; echo "no $1" >&2; exit 3', [String(index)]);
    const said = await text(started.stdout);
    return [said, await started.ended];
  });
  expect(await Promise.all(all)).toEqual(all.map((_one, index) => [`${index}\n`, { code: 3, words: `no ${index}\n` }]));
});

test('a process that does not read its input ends, and its error output is reported', async () => {
  const started = await run('echo enough; echo why >&2; exit 1');
  started.stdin.write(Buffer.alloc(1024 * 1024));
  expect(await text(started.stdout)).toBe('enough\n');
  expect(await started.ended).toEqual({ code: 1, words: 'why\n' });
});

test('input for a process that has already ended is refused, however late it comes', async () => {
  const started = await run('exit 3');
  const closed = new Promise((resolve) => started.stdin.once('close', resolve));
  await text(started.stdout);
  expect(await started.ended).toEqual({ code: 3, words: '' });
  await closed;
  const input = async function* () {
    for (let n = 0; n < 100; n++) yield Buffer.alloc(65_536);
  };
  await expect(pipeline(input(), started.stdin)).rejects.toThrow();
});

test('killing a process ends everything that it started', async () => {
  const started = await run('sleep 1000 & echo $!; wait');
  const [line] = await started.stdout.setEncoding('utf8').take(1).toArray();
  started.kill();
  expect(await started.ended).toMatchObject({ code: null });
  await waitFor('its child is gone', () => !isAlive(Number(line)));
});

test('closing the starter ends all processes that are still running', async () => {
  const started = await run('echo $$; sleep 1000');
  const [line] = await started.stdout.setEncoding('utf8').take(1).toArray();
  await starter.close();
  expect(await started.ended).toMatchObject({ code: null });
  await waitFor('it is gone', () => !isAlive(Number(line)));
});

test('if the small process is killed, those that it started end with an error, and the next start works', async () => {
  const started = await run('echo $PPID; sleep 1000');
  const [line] = await started.stdout.setEncoding('utf8').take(1).toArray();
  process.kill(Number(line), 'SIGKILL');
  expect(await started.ended).toEqual({ code: null, words: expect.stringContaining('has ended') });
  expect(await text((await run('echo again')).stdout)).toBe('again\n');
});

test('a service that is killed while its processes begin and end leaves none behind, and prints no error', async () => {
  const program = `import { createStarter } from '${new URL('starter.ts', import.meta.url).href}';
    const starter = createStarter({ name: 'test' });
    const all = Array.from({ length: 60 }, (_one, index) =>
      starter.start({ script: \`sleep 0.\${index % 10}\`, args: ['left behind'], env: { PATH: '/usr/bin:/bin' } }));
    await Promise.all(all);
    process.kill(process.pid, 'SIGKILL');`;
  // It ends when all of them have closed the standard error that they share.
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL', stderr: '' });
});

const cgroups = await findCgroups();
describeUnless(cgroups ? null : 'control groups must be writable', 'processes that share a limit of memory', () => {
  test('lose only the one that needs more, and continue', async () => {
    const limited = createStarter({ name: 'test', memoryBytes: 128 * 1024 * 1024 });
    const small = await run('exec sleep 60', [], limited);
    const large = await run('head -c 400000000 /dev/zero | tail -c 300000000 | wc -c', [], limited);
    expect(await text(large.stdout)).not.toContain('300000000');
    expect(await text((await run('echo here', [], limited)).stdout)).toBe('here\n');
    small.kill();
    await small.ended;
    await limited.close();
  });
});

test('the small process ends some time after the last command, and starts again for the next one', async () => {
  const brief = createStarter({ name: 'test', idleMs: 50 });
  const parentOf = async (): Promise<number> => {
    const { stdout, ended } = await run('echo $PPID', [], brief);
    const pid = Number(await text(stdout));
    await ended;
    return pid;
  };
  const first = await parentOf();
  await waitFor('the small process has ended', () => !isAlive(first));
  const slow = await run('sleep 0.3; echo done', [], brief);
  const second = await parentOf();
  expect([second === first, await text(slow.stdout), isAlive(second)]).toEqual([false, 'done\n', true]);
  await brief.close();
});
