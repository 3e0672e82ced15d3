import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EmbeddedDatabaseError } from './index.ts';
import { clusterOf, query, useDataDirs } from './test-data-dirs.ts';

const dirs = useDataDirs();

describe('a data directory', () => {
  test('is created with a durable UTF-8 cluster, and reopened with its data', async () => {
    const dir = dirs.fresh();
    const first = await dirs.open(dir);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    await query(first.connection, "CREATE TABLE kept AS SELECT 'grüezi' AS word");
    expect(
      await query(
        first.connection,
        "SELECT current_setting('fsync'), current_setting('jit'), current_setting('listen_addresses')",
      ),
    ).toEqual(['on', 'off', '']);
    expect(
      await query(
        first.connection,
        'SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale FROM pg_database WHERE datname = current_database()',
      ),
    ).toEqual(['UTF8', 'b', 'C.UTF-8']);
    await first.close();
    await first.close();
    expect(existsSync(join(clusterOf(dir), 'postmaster.pid'))).toBe(false);
    expect(await readdir(first.connection.host)).toEqual([]);

    const second = await dirs.open(dir);
    expect(await query(second.connection, 'SELECT word FROM kept')).toEqual(['grüezi']);
  });

  test('is cleared of what was left by a process that died during initdb', async () => {
    const dir = await dirs.filled();
    const dead = spawn('true');
    await new Promise((resolve) => dead.once('exit', resolve));
    const [old, current] = [`data.new-${dead.pid}-00`, `data.new-${process.pid}-00`];
    for (const name of [old, current]) await mkdir(join(dir, 'postgres', name));
    await dirs.open(dir);
    expect(await readdir(join(dir, 'postgres'))).toContain(current);
    expect(await readdir(join(dir, 'postgres'))).not.toContain(old);
  });

  test('with a cluster of another major version is refused in one line, and stays as it is', async () => {
    const dir = dirs.fresh();
    await mkdir(clusterOf(dir), { recursive: true });
    await writeFile(join(clusterOf(dir), 'PG_VERSION'), '17\n');
    await expect(dirs.open(dir)).rejects.toThrow(/^\S+ was created by PostgreSQL 17, but this is PostgreSQL 18[^\n]*$/);
    expect(await readdir(clusterOf(dir))).toEqual(['PG_VERSION']);
  });

  test('with other files in place of the cluster is refused and left alone', async () => {
    const dir = dirs.fresh();
    await mkdir(clusterOf(dir), { recursive: true });
    await writeFile(join(clusterOf(dir), 'notes.txt'), 'mine');
    await expect(dirs.open(dir)).rejects.toThrow('contains files but no PostgreSQL cluster');
    expect(await readFile(join(clusterOf(dir), 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('whose server cannot start is reported with the end of its log', async () => {
    const dir = await dirs.filled();
    await writeFile(join(clusterOf(dir), 'postgresql.auto.conf'), "no_such_setting = 'x'\n");
    const error = await dirs.open(dir).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(EmbeddedDatabaseError);
    expect(error).toHaveProperty('message', expect.stringContaining('"no_such_setting"'));
  });

  test('with a path too long for a socket, or with odd characters in it, works', async () => {
    const long = await dirs.filled(dirs.fresh('long-'.repeat(30)));
    const far = await dirs.open(long);
    expect(far.connection.host).not.toContain('long-');
    expect((await stat(far.connection.host)).mode & 0o777).toBe(0o700);
    expect(await query(far.connection, 'SELECT 1')).toEqual([1]);
    await far.close();
    expect(existsSync(far.connection.host)).toBe(false);

    const odd = await dirs.open(await dirs.filled(dirs.fresh(`a, "b" 'c' é`)));
    expect(await query(odd.connection, 'SELECT 1')).toEqual([1]);
  });
});
