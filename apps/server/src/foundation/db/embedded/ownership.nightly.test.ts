import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { byNight } from '../../../testing/runner/thoroughness.ts';
import { AlreadyRunningError } from './index.ts';
import { owners, postmasterPid, query, useDataDirs } from './test-data-dirs.ts';

const dirs = useDataDirs();
const address = 'bottega start (pid 123) at https://a-rather-long-name.development.example.com:3000';

test('a second service is refused in one line that names the first', async () => {
  const dir = await dirs.filled();
  await dirs.open(dir, { description: address });
  const refused = await dirs.open(dir).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(AlreadyRunningError);
  expect(refused).toHaveProperty('message', `Bottega is already running on this data directory: ${address}`);
});

test('a command shares the server of a service and leaves it running', async () => {
  const dir = await dirs.filled();
  const service = await dirs.open(dir);
  const pid = await postmasterPid(dir);
  const command = await dirs.open(dir, { holder: 'command' });
  expect(await query(command.connection, 'SELECT 1')).toEqual([1]);
  await command.close();
  await command.close();
  expect(await postmasterPid(dir)).toBe(pid);
  expect(await query(service.connection, 'SELECT 1')).toEqual([1]);
});

test.for(['service', 'command'] as const)(
  'a %s waits until a command that started the server has ended',
  async (holder) => {
    const dir = await dirs.filled();
    const command = await dirs.open(dir, { holder: 'command', description: 'bottega migrate' });
    const pid = await postmasterPid(dir);
    const info = vi.fn();
    const opening = dirs.open(dir, { holder, log: { info, warn: info } });
    await vi.waitFor(
      () => expect(info).toHaveBeenCalledWith({}, expect.stringContaining('in use by bottega migrate')),
      { timeout: 60_000 },
    );
    await command.close();
    const next = await opening;
    expect(await query(next.connection, 'SELECT 1')).toEqual([1]);
    expect(await postmasterPid(dir)).not.toBe(pid);
  },
);

test('a child of a service never starts the server, and never takes the lock of an owner that is gone', async () => {
  const dir = await dirs.filled();
  const opening = dirs.open(dir, { holder: 'child' });
  const owner = await dirs.spawnHolder([dir]);
  const child = await opening;
  expect(await query(child.connection, 'SELECT 1')).toEqual([1]);
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  // Its server keeps running, and the lock is free.
  let isOpen = false;
  const late = dirs.open(dir, { holder: 'child' }).then(() => {
    isOpen = true;
  });
  await vi.waitFor(async () => expect(await owners(child.connection)).toBe(0), { timeout: 60_000 });
  for (let times = 0; times < 20; times++) expect(await owners(child.connection)).toBe(0);
  expect(isOpen).toBe(false);
  const service = await dirs.open(dir);
  await late;
  expect(await query(service.connection, 'SELECT 1')).toEqual([1]);
});

test('of two services started at once on a fresh directory, exactly one succeeds', async () => {
  const dir = dirs.fresh();
  const both = await Promise.all([dirs.spawnHolder([dir]), dirs.spawnHolder([dir])]);
  const [winner, loser] = both.sort((a, b) => Number(Boolean(a.error)) - Number(Boolean(b.error)));
  expect(winner?.error).toBeUndefined();
  expect(loser?.error?.name).toBe('AlreadyRunningError');
  expect(await query(winner?.connection, 'SELECT 1')).toEqual([1]);
  winner?.child.stdin.end();
  expect(await once(winner?.child ?? process, 'exit')).toEqual([0, null]);
});

test('commands that start at once on a fresh directory all get their turn', async () => {
  const dir = dirs.fresh();
  const turns = Array.from({ length: byNight(4, 2) }, async () => {
    const command = await dirs.open(dir, { holder: 'command' });
    const answer = await query(command.connection, 'SELECT 1');
    await command.close();
    return answer;
  });
  expect(await Promise.all(turns)).toEqual(turns.map(() => [1]));
});
