import type { CommitDetail } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { encodeCommit } from '../objects/commits.ts';
import { directoryMode, encodeTree, type TreeEntry } from '../objects/trees.ts';
import { diffTrees } from '../store/tree-diff.service.ts';
import { walkTree } from '../store/trees.service.ts';
import { type Clone, useDirectory, useGitClient } from './git-client.fixture.ts';

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data, BOTTEGA_FILES_LIMIT_FREE: '5000' } });
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;
let place: Place;
let clone: Clone;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  projectId = (await createProject(service, owner)).id;
  place = { service, user: owner, projectId };
  clone = await client.repository();
  await clone.git('remote', 'add', 'origin', client.addressOf(projectId, owner.key));
});

const shortNames = Array.from({ length: 10 }, (_, n) => `n${n}`);
/** Long names, so that the total length of paths reaches its limit before their number does. */
const longNames = shortNames.map((name) => name.padEnd(150, 'n'));

const file = (name: string, sha: Buffer): TreeEntry => ({ mode: 0o100644, name, sha });
const directory = (name: string, sha: Buffer): TreeEntry => ({ mode: directoryMode, name, sha });

const treeOf = (entries: TreeEntry[]): Promise<Buffer> => clone.store('tree', encodeTree(entries));
const blobOf = (content: string): Promise<Buffer> => clone.store('blob', Buffer.from(content));

const ada = { name: 'Ada', email: 'ada@example.com', at: new Date() };
async function commitOf(tree: Buffer, { message = 'Wide', parents = [] as Buffer[] } = {}): Promise<string> {
  const content = encodeCommit({ tree, parents, author: ada, committer: ada, message });
  return (await clone.store('commit', content)).toString('hex');
}

/** Ten names for the same directory, which has ten names for the next: 10 to the power of `levels` files. */
async function wideTree(levels: number, { content = 'x\n', names = shortNames } = {}): Promise<Buffer> {
  const blob = await blobOf(content);
  let tree = await treeOf(names.map((name) => file(`${name}.txt`, blob)));
  for (let level = 1; level < levels; level++) tree = await treeOf(names.map((name) => directory(name, tree)));
  return tree;
}

/** Nested directories. Git reads the deepest first, so it sees none of the long paths. */
async function deepTree(levels: number): Promise<Buffer> {
  const blob = await blobOf('x\n');
  let tree = await treeOf([file('x', blob)]);
  const all: TreeEntry[] = [];
  for (let level = 0; level < levels; level++) {
    all.push(directory(`n${String(level).padStart(4, '0')}`, tree));
    tree = await treeOf([directory('d', tree)]);
  }
  return treeOf(all);
}

const smallBudget = () => createBudget({ name: 'test', entries: 2_000, message: 'too many' });

describe('a tree that names far more files than it stores', () => {
  test('is refused on main, with the reason on the terminal, and nothing is stored', async () => {
    const commit = await commitOf(await wideTree(5));
    const { ok, stderr } = await clone.tryGit('push', 'origin', `${commit}:refs/heads/main`);
    expect([ok, stderr]).toEqual([false, expect.stringContaining('(more than 5000 files)')]);
    expect(stderr).toContain("remote: The owner's plan allows 5000 files per project");
    const rows = await service.db.selectFrom('git_objects').select('sha').where('project_id', '=', projectId).execute();
    expect(rows).toEqual([]);
  });

  test('can be pushed to another branch, where lists and commits that are too large are refused', async () => {
    const commit = await commitOf(await wideTree(6, { names: longNames }));
    await clone.git('push', '--quiet', 'origin', `${commit}:refs/heads/wide`);
    const refused = { status: 422, code: 'VALIDATION_ERROR' } as const;
    expectError(await inProject(place, 'GET', '/files?recursive=true&ref=wide'), refused);
    expectError(await inProject(place, 'GET', `/commits/${commit}`), refused);
    const top = await inProject<{ data: unknown[] }>(place, 'GET', '/files?ref=wide');
    expect(top.body.data).toHaveLength(10);
  });

  test('cannot cost a walk more than its budget', async () => {
    const tree = await wideTree(4);
    await clone.git('push', '--quiet', 'origin', `${await commitOf(tree)}:refs/heads/wide`);
    const everything = { tree, path: '', recursive: true };
    await expect(walkTree(service.db, projectId, everything, smallBudget())).rejects.toThrow('too many');
    await expect(diffTrees(service.db, projectId, null, tree, smallBudget())).rejects.toThrow('too many');
  });
});

test('a tree of directories without files is refused on main like one with too many files', async () => {
  let tree = await treeOf([]);
  for (let level = 0; level < 6; level++) tree = await treeOf(shortNames.map((name) => directory(name, tree)));
  const { ok, stderr } = await clone.tryGit('push', 'origin', `${await commitOf(tree)}:refs/heads/main`);
  expect([ok, stderr]).toEqual([false, expect.stringContaining('(more than 200000 directories)')]);
});

test('a tag may point to its object through ten other tags, but not through more', async () => {
  await clone.git('tag', '-a', '-m', 'One', 't1', await commitOf(await wideTree(1)));
  for (let n = 2; n <= 11; n++) await clone.git('tag', '-a', '-m', 'More', `t${n}`, `t${n - 1}`);
  const refused = 'a tag points to its object through more than 10 other tags';
  for (const tags of [['t11'], ['--tags']]) {
    const { ok, stderr } = await clone.tryGit('push', 'origin', ...tags);
    expect([ok, stderr]).toEqual([false, expect.stringContaining(refused)]);
  }
  await clone.git('push', '--quiet', 'origin', 't10', 't9');
  const listing = await clone.git('ls-remote', 'origin', 'refs/tags/t10^{}');
  expect(listing).toContain(await clone.git('rev-parse', 't10^{commit}'));
});

test('a tree with paths that are too deep is not read to its end, and is refused on main', async () => {
  const tree = await deepTree(80);
  await clone.git('push', '--quiet', 'origin', `${await commitOf(tree)}:refs/heads/deep`);
  const answer = await inProject(place, 'GET', '/files?recursive=true&ref=deep');
  expectError(answer, { status: 422, code: 'VALIDATION_ERROR' });
  expect(answer.text).toContain('at most 64 levels');
  const { ok, stderr } = await clone.tryGit('push', 'origin', `${await commitOf(tree)}:refs/heads/main`);
  expect([ok, stderr]).toEqual([false, expect.stringContaining('at most 64 levels')]);
});

describe('a commit with the same content at thousands of paths', () => {
  test('is shown with some of its diffs, and lists the other files without diffs', async () => {
    const text = 'the same line\n'.repeat(8_000);
    const commit = await commitOf(await wideTree(3, { content: text }));
    await clone.git('push', '--quiet', 'origin', `${commit}:refs/heads/same`);
    const { status, body } = await inProject<CommitDetail>(place, 'GET', `/commits/${commit}`);
    expect([status, body.files.length, body.truncated]).toEqual([200, 1_000, true]);
    const shown = body.files.filter(({ diff }) => diff !== null);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.length * text.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(shown[0]).toMatchObject({ path: '/n0/n0/n0.txt', status: 'added', additions: 8_000 });
    expect(body.files.at(-1)).toMatchObject({ path: '/n9/n9/n9.txt', status: 'added', diff: null });
  });

  test('is shown with at most 300 diffs, however short they are', async () => {
    const commit = await commitOf(await wideTree(3));
    await clone.git('push', '--quiet', 'origin', `${commit}:refs/heads/short`);
    const { body } = await inProject<CommitDetail>(place, 'GET', `/commits/${commit}`);
    expect(body.files.filter(({ diff }) => diff !== null)).toHaveLength(300);
    expect(body.truncated).toBe(true);
  });
});

describe('a commit that is too large', () => {
  test('is refused above one mebibyte, and below that is shown with the beginning of its message', async () => {
    const tree = await wideTree(1);
    const large = await commitOf(tree, { message: 'm'.repeat(1_200_000) });
    const { ok, stderr } = await clone.tryGit('push', 'origin', `${large}:refs/heads/main`);
    expect([ok, stderr]).toEqual([false, expect.stringContaining('a commit is larger than 1 MiB')]);
    // Git's own command keeps such leading lines, and ours removes them.
    await clone.write('.git/message', `${'\n\n'.repeat(100_000)}${'m'.repeat(100_000)}`);
    const long = await clone.git('commit-tree', tree.toString('hex'), '-F', '.git/message');
    await clone.git('push', '--quiet', 'origin', `${long}:refs/heads/main`);
    const { body } = await inProject<CommitDetail>(place, 'GET', `/commits/${long}`);
    expect([body.message.length, body.message_truncated]).toEqual([65_536, true]);
    const list = await inProject<{ data: CommitDetail[] }>(place, 'GET', '/commits?path=/n1.txt');
    expect(list.body.data.map(({ message, message_truncated }) => [message.length, message_truncated])).toEqual([
      [65_536, true],
    ]);
  });

  test('is refused if it has more parents than a merge can have', async () => {
    const tree = await wideTree(1);
    const parents: Buffer[] = [];
    for (let n = 0; n < 101; n++) parents.push(Buffer.from(await commitOf(tree, { message: `parent ${n}` }), 'hex'));
    const merge = await commitOf(tree, { message: 'Merge', parents });
    const { ok, stderr } = await clone.tryGit('push', 'origin', `${merge}:refs/heads/main`);
    expect([ok, stderr]).toEqual([false, expect.stringContaining('more than 100 parents')]);
  });
});
