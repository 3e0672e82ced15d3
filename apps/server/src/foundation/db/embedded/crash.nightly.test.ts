import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clusterOf, owners, postmasterPid, query, useDataDirs } from './test-data-dirs.ts';

const dirs = useDataDirs();

async function killedHolder(dir: string, alsoServer: boolean): Promise<number> {
  const { connection, child } = await dirs.spawnHolder([dir]);
  await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const pid = await postmasterPid(dir);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  if (alsoServer) process.kill(pid, 'SIGKILL');
  await ended;
  return pid;
}

test('the server of a killed service is adopted with its data, and stopped by its new owner', async () => {
  const dir = await dirs.filled();
  const orphan = await killedHolder(dir, false);
  const database = await dirs.open(dir);
  expect(await postmasterPid(dir)).toBe(orphan);
  expect(await query(database.connection, 'SELECT answer FROM kept')).toEqual([42]);
});

test('the next start recovers after service and server were killed', async () => {
  const dir = await dirs.filled();
  const dead = await killedHolder(dir, true);
  const database = await dirs.open(dir);
  expect(await postmasterPid(dir)).not.toBe(dead);
  expect(await query(database.connection, 'SELECT answer FROM kept')).toEqual([42]);
});

test('locks that name a living process of another program are taken over', async () => {
  const dir = await dirs.filled();
  const other = spawn('sleep', ['600']);
  try {
    const socketDir = join(dir, 'postgres', 'run');
    await mkdir(socketDir, { mode: 0o700 });
    const record = `${other.pid}\n${clusterOf(dir)}\n1700000000\n5432\n${socketDir}\n\n  1 2\nready   \n`;
    await writeFile(join(clusterOf(dir), 'postmaster.pid'), record);
    await writeFile(join(socketDir, '.s.PGSQL.5432.lock'), record);
    const database = await dirs.open(dir);
    expect(await query(database.connection, 'SELECT 1')).toEqual([1]);
    expect((await readdir(clusterOf(dir))).filter((name) => name.includes('stale'))).toEqual([]);
    expect(other.exitCode).toBeNull();
  } finally {
    other.kill();
  }
});

test('a database server that is killed is restarted at the same address, and keeps its owner', async () => {
  const dir = await dirs.filled();
  const warn = vi.fn();
  const database = await dirs.open(dir, { log: { info: () => undefined, warn } });
  await query(database.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const killed = await postmasterPid(dir);
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith({}, 'the embedded database is up'), { timeout: 60_000 });
  expect(await postmasterPid(dir)).not.toBe(killed);
  expect(await query(database.connection, 'SELECT answer FROM kept')).toEqual([42]);
  expect(await owners(database.connection)).toBe(1);
});

test('an owner whose lock connection is cut takes the lock again on the same server', async () => {
  const dir = await dirs.filled();
  const warn = vi.fn();
  const database = await dirs.open(dir, { log: { info: () => undefined, warn } });
  const pid = await postmasterPid(dir);
  await query(
    database.connection,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bottega owner'",
  );
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith({}, 'the embedded database is up'), { timeout: 60_000 });
  expect(await postmasterPid(dir)).toBe(pid);
  expect(await owners(database.connection)).toBe(1);
});

test('closing the database right after its server died leaves nothing behind', async () => {
  const dir = await dirs.filled();
  const warn = vi.fn();
  const database = await dirs.open(dir, { log: { info: () => undefined, warn } });
  process.kill(await postmasterPid(dir), 'SIGKILL');
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { interval: 1 });
  await database.close();
  await expect(postmasterPid(dir)).rejects.toThrow('no server runs');
});
