import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Bottega } from '@bottega/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { useBtg } from '../testing/btg.fixture.ts';
import { useCuttableWay } from './cuttable.fixture.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_LIVE_SAVE_PAUSE: '50' } });
const btg = useBtg();
const way = useCuttableWay(() => service.url);
type Running = Awaited<ReturnType<typeof btg.start>>;
let client: Bottega;
let projectId: string;
let one: { folder: string; running: Running };
let other: { folder: string; running: Running };

beforeAll(async () => {
  const { key } = await service.createUser();
  const env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key };
  client = new Bottega({ baseUrl: service.url, token: key });
  projectId = (await client.projects.create({ name: 'Together' })).id;
  await client.files.write(projectId, { path: '/readme.md', content: 'one\ntwo\nthree\n' });
  await client.files.write(projectId, { path: '/logo.bin', content: new Uint8Array([0, 1, 2]) });
  const folders = [await btg.newFolder(), await btg.newFolder()];
  for (const cwd of folders) await btg(['link', projectId], { env, cwd });
  const [mine = '', theirs = ''] = folders;
  one = { folder: mine, running: await btg.start(['session', 'start'], 'are in sync', { env, cwd: mine }) };
  const link = /btg session join (\S+)/.exec(one.running.said())?.[1] ?? '';
  const joining = await btg.start(['session', 'join', link], 'are in sync', { env, cwd: theirs });
  other = { folder: theirs, running: joining };
});
afterAll(async () => {
  for (const { running } of [one, other]) {
    running.stop();
    expect((await running.ended).code).toBe(130);
  }
});

const textIn = (folder: string, path: string) => readFile(join(folder, path), 'utf8').catch(() => null);
const write = async (folder: string, path: string, text: string | Uint8Array) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const arrives = (folder: string, path: string, text: string | null) =>
  waitFor(`${path} is ${text}`, async () => (await textIn(folder, path)) === text);
const pathsOf = async () => {
  const found: string[] = [];
  for await (const { path } of client.files.list(projectId, { recursive: true, type: 'file', limit: 1000 }))
    found.push(path);
  return found;
};

test('text files of the project are in the folder, and binary files are left alone and reported', async () => {
  for (const { folder, running } of [one, other]) {
    expect(await textIn(folder, 'readme.md')).toBe('one\ntwo\nthree\n');
    expect(await textIn(folder, 'logo.bin')).toBe(null);
    expect(running.said()).toMatch(/skipped {2}\/logo\.bin: .*binary/);
  }
});

test('a file that is changed, made or saved by renaming in one folder changes in the other, and is saved', async () => {
  await write(one.folder, 'readme.md', 'one\ntwo\nthree\nfour\n');
  await arrives(other.folder, 'readme.md', 'one\ntwo\nthree\nfour\n');
  await write(other.folder, 'src/main.ts', 'run();\n');
  await arrives(one.folder, 'src/main.ts', 'run();\n');
  await write(one.folder, 'src/main.ts~', 'walk();\n');
  await rename(join(one.folder, 'src/main.ts~'), join(one.folder, 'src/main.ts'));
  await arrives(other.folder, 'src/main.ts', 'walk();\n');
  await waitFor('it is saved', async () => (await pathsOf()).includes('/src/main.ts'));
});

test('a file that one folder ignores is not sent when others change the ignore file', async () => {
  await write(one.folder, '.gitignore', '.env\n');
  await arrives(other.folder, '.gitignore', '.env\n');
  await write(one.folder, '.env', 'SECRET=1\n');
  await write(other.folder, '.gitignore', '!.env\n');
  await arrives(one.folder, '.gitignore', '!.env\n');
  await write(one.folder, 'after.txt', 'later\n');
  await arrives(other.folder, 'after.txt', 'later\n');
  expect([await textIn(other.folder, '.env'), await pathsOf()]).toEqual([null, expect.not.arrayContaining(['/.env'])]);
  await waitFor('it is told', () => one.running.said().includes('/.env is skipped'));
});

test('a file that is renamed or deleted in one folder is renamed or deleted in the other', async () => {
  await write(one.folder, 'old.txt', 'a text of its own\n');
  await arrives(other.folder, 'old.txt', 'a text of its own\n');
  await rename(join(one.folder, 'old.txt'), join(one.folder, 'new.txt'));
  await arrives(other.folder, 'new.txt', 'a text of its own\n');
  await arrives(other.folder, 'old.txt', null);
  expect(one.running.said()).toContain('renamed there  /new.txt');
  await rm(join(other.folder, 'new.txt'));
  await arrives(one.folder, 'new.txt', null);
  await write(one.folder, 'old.txt', 'another one\n');
  await arrives(other.folder, 'old.txt', 'another one\n');
});

test('a change by REST arrives, whether the file is open or not', async () => {
  await client.files.write(projectId, { path: '/readme.md', content: 'by REST\n' });
  await client.files.write(projectId, { path: '/fresh.md', content: 'fresh\n' });
  for (const { folder } of [one, other]) {
    await arrives(folder, 'readme.md', 'by REST\n');
    await arrives(folder, 'fresh.md', 'fresh\n');
  }
});

test('changes of different lines at the same time are both made', async () => {
  const lines = Array.from({ length: 9 }, (_, at) => `line ${at}\n`);
  await write(one.folder, 'both.txt', lines.join(''));
  await arrives(other.folder, 'both.txt', lines.join(''));
  await Promise.all([
    write(one.folder, 'both.txt', lines.with(0, 'mine\n').join('')),
    write(other.folder, 'both.txt', lines.with(8, 'theirs\n').join('')),
  ]);
  const both = lines.with(0, 'mine\n').with(8, 'theirs\n').join('');
  for (const { folder } of [one, other]) await arrives(folder, 'both.txt', both);
});

test('ignored files, and copies that a conflict left, stay in their folder', async () => {
  await write(one.folder, '.btgignore', '*.log\n');
  await arrives(other.folder, '.btgignore', '*.log\n');
  await write(one.folder, 'build.log', 'noise\n');
  await write(one.folder, 'a.txt.local-20260101T000000Z', 'kept\n');
  await write(one.folder, 'marker.txt', 'after it\n');
  await arrives(other.folder, 'marker.txt', 'after it\n');
  expect(await readdir(other.folder)).not.toContain('build.log');
  expect((await pathsOf()).filter((path) => /log$|local-/.test(path))).toEqual([]);
});

test('changes on both sides of a cut connection arrive once it is restored', async () => {
  const { id: userId } = await client.user.get();
  const env = { BOTTEGA_URL: way.url, BOTTEGA_TOKEN: (await service.createKey(userId)).key };
  const cwd = join(await btg.newFolder(), 'far');
  const [id = ''] = /ses_[a-z0-9]+/.exec(one.running.said()) ?? [];
  const far = await btg.start(['session', 'join', id, cwd], 'are in sync', { env });
  await write(one.folder, 'far.md', 'first\n');
  await arrives(cwd, 'far.md', 'first\n');
  way.cut();
  await waitFor('it is told', () => far.said().includes('The connection was lost'));
  await write(cwd, 'far.md', 'first\nsecond\n');
  await write(cwd, 'made-there.md', 'there\n');
  await write(one.folder, 'made-here.md', 'here\n');
  await arrives(other.folder, 'made-here.md', 'here\n');
  way.mend();
  await arrives(one.folder, 'far.md', 'first\nsecond\n');
  await arrives(one.folder, 'made-there.md', 'there\n');
  await arrives(cwd, 'made-here.md', 'here\n');
  far.stop();
  await far.ended;
});

test('when a folder joins, its files that differ are kept beside, and its files that only it has are sent', async () => {
  const env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: (await service.createKey((await client.user.get()).id)).key };
  const cwd = await btg.newFolder();
  await btg(['link', projectId], { env, cwd });
  await write(cwd, 'readme.md', 'written elsewhere\n');
  await write(cwd, 'only-here.md', 'mine\n');
  const [id = ''] = /ses_[a-z0-9]+/.exec(one.running.said()) ?? [];
  const joined = await btg.start(['session', 'join', id, '--json'], 'are in sync', { env, cwd });
  await arrives(cwd, 'readme.md', await textIn(one.folder, 'readme.md'));
  const kept = (await readdir(cwd)).find((name) => name.startsWith('readme.md.local-'));
  expect(await textIn(cwd, kept ?? '')).toBe('written elsewhere\n');
  for (const { folder } of [one, other]) await arrives(folder, 'only-here.md', 'mine\n');
  joined.stop();
  const { stdout } = await joined.ended;
  const conflicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'conflict');
  expect(conflicts).toEqual([{ kind: 'conflict', path: '/readme.md', kept: `/${kept}` }]);
});

test('a folder that does not belong to the project is refused before anything in it is sent', async () => {
  const cwd = await btg.newFolder();
  await write(cwd, 'private.txt', 'mine alone\n');
  const env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: (await service.createKey((await client.user.get()).id)).key };
  const [id = ''] = /ses_[a-z0-9]+/.exec(one.running.said()) ?? [];
  expect(await btg(['session', 'join', id], { env, cwd })).toMatchObject({ code: 7 });
  expect(await pathsOf()).not.toContain('/private.txt');
});
