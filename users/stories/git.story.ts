import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { installation, newPerson, type Person } from '../people.ts';
import { commit, projectWith } from '../projects.ts';

const folder = mkdtempSync(join(tmpdir(), 'bottega-story-git-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
const env = {
  ...process.env,
  ...identity,
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

const git = async (cwd: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', args, { cwd, env })).stdout;

async function cloned(person: Person, id: string): Promise<string> {
  const { host } = new URL(installation().url);
  const target = join(folder, id);
  await git(folder, 'clone', '--quiet', `http://me:${person.key}@${host}/git/${id}.git`, target);
  return target;
}

test('what is pushed is what REST shows, and what REST writes is what is pulled', async () => {
  const person = await newPerson();
  const id = await projectWith(person.client, { '/a.txt': 'by REST\n' });
  const clone = await cloned(person, id);
  writeFileSync(join(clone, 'b.txt'), 'by git\n');
  await git(clone, 'add', '.');
  await git(clone, 'commit', '--quiet', '-m', 'By git');
  await git(clone, 'push', '--quiet', 'origin', 'main');
  const files: string[] = [];
  for await (const file of person.client.files.list(id, { recursive: true })) files.push(file.path);
  expect(files).toEqual(['/a.txt', '/b.txt']);
  await commit(person.client, id, { '/b.txt': 'by REST again\n' });
  await git(clone, 'pull', '--quiet');
  expect(await git(clone, 'show', 'HEAD:b.txt')).toBe('by REST again\n');
  expect(await git(clone, 'fsck', '--strict')).toBe('');
});

test('a merge with a conflict names it, and the resolution that is sent ends it', async () => {
  const person = await newPerson();
  const { client } = person;
  const id = await projectWith(client, { '/text.txt': 'one\n' });
  await client.branches.create(id, { name: 'other', from: 'main' });
  const clone = await cloned(person, id);
  await git(clone, 'checkout', '--quiet', 'other');
  writeFileSync(join(clone, 'text.txt'), 'theirs\n');
  await git(clone, 'commit', '--quiet', '-am', 'Theirs');
  await git(clone, 'push', '--quiet', 'origin', 'other');
  await commit(client, id, { '/text.txt': 'ours\n' });
  const merge = { source: 'other', target: 'main' };
  const refused = await client.branches.merge(id, merge).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 409, details: { conflicts: [{ path: '/text.txt' }] } });
  await client.branches.merge(id, { ...merge, resolutions: [{ path: '/text.txt', content: 'both\n' }] });
  await git(clone, 'fetch', '--quiet', 'origin');
  expect(await git(clone, 'show', 'origin/main:text.txt')).toBe('both\n');
});
