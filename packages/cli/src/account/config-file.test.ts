import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../files/lock.ts';
import type { Io } from '../terminal/io.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { changeConfig, configPath, readConfig } from './config-file.ts';

const btg = useBtg();
const never = new AbortController().signal;

async function newIo(env: Record<string, string> = {}): Promise<Io & { said: string[] }> {
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) };
  return { home: await btg.newFolder(), env, signal: never, stderr, said } as unknown as Io & { said: string[] };
}

const add = (io: Io, name: string) =>
  changeConfig(io, async ({ accounts }) => ({
    config: { accounts: { ...accounts, [name]: { kind: 'token', token: name } } },
    value: undefined,
  }));

test('the configuration is below XDG_CONFIG_HOME, or else .config, and only its owner may read it', async () => {
  const io = await newIo();
  await add(io, 'a');
  expect(configPath(io)).toBe(join(io.home, '.config/btg/config.json'));
  expect([(await stat(configPath(io))).mode & 0o777, (await stat(dirname(configPath(io)))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(configPath({ ...io, env: { XDG_CONFIG_HOME: '/elsewhere' } })).toBe('/elsewhere/btg/config.json');
});

test('a configuration that others can read is made private, with a message', async () => {
  const io = await newIo();
  await add(io, 'a');
  await chmod(configPath(io), 0o644);
  expect(Object.keys((await readConfig(io)).accounts)).toEqual(['a']);
  expect((await stat(configPath(io))).mode & 0o777).toBe(0o600);
  expect(io.said.join('')).toContain('Other users could read');
});

test('a configuration that is not valid JSON is named in the error and left as it is', async () => {
  const io = await newIo();
  await mkdir(dirname(configPath(io)), { recursive: true });
  await writeFile(configPath(io), '{"accounts"', { mode: 0o600 });
  await expect(add(io, 'a')).rejects.toThrow(`${configPath(io)} is not valid JSON`);
  expect(await readFile(configPath(io), 'utf8')).toBe('{"accounts"');
});

test('concurrent changes are made one after the other, and leave no other files behind', async () => {
  const io = await newIo();
  const names = Array.from({ length: 8 }, (_, at) => `account-${at}`);
  await Promise.all(names.map((name) => add(io, name)));
  expect(Object.keys((await readConfig(io)).accounts).toSorted()).toEqual(names);
  expect(await readdir(dirname(configPath(io)))).toEqual(['config.json']);
});

test('a lock of a process that no longer exists is ignored', async () => {
  const lock = join(await btg.newFolder(), 'lock');
  // No process has a greater id.
  await writeFile(lock, '4194305 gone');
  expect(await withLock(lock, { signal: never }, async () => 'done')).toBe('done');
});

test('a lock of a living process is waited for, until the caller stops', async () => {
  const lock = join(await btg.newFolder(), 'lock');
  await writeFile(lock, `${process.pid} somebody`);
  await expect(withLock(lock, { signal: AbortSignal.timeout(100) }, async () => 'done')).rejects.toThrow();
  expect(await readFile(lock, 'utf8')).toBe(`${process.pid} somebody`);
});
