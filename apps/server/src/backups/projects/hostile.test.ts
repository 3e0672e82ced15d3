import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { encodeCommit } from '../../repository/objects/commits.ts';
import { deflateObject, hashObject, type ObjectType } from '../../repository/objects/objects.ts';
import { type PackedObject, packStream } from '../../repository/objects/pack.ts';
import { encodeTree, type TreeEntry } from '../../repository/objects/trees.ts';
import { listPaths } from '../../testing/samples/sample-files.ts';
import { listProjects } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { fileAt } from '../backups.fixture.ts';
import { type BackupRecord, writeBackupFile } from '../file/index.ts';
import { BackupError } from '../index.ts';
import { useProjectBackups } from './project-backups.fixture.ts';

/** Files with valid seals and checksums that no service has written. */

const service = useTestService();
const projects = useProjectBackups(service);
let owner: TestUser;
beforeAll(async () => {
  owner = await service.createUser();
});

type Object = { sha: Buffer; packed: PackedObject };

function object(type: ObjectType, content: Buffer): Object {
  return { sha: hashObject(type, content), packed: { type, size: content.length, deflated: deflateObject(content) } };
}

const ada = { name: 'Ada', email: 'ada@example.com', at: new Date(0) };
const blob = object('blob', Buffer.from('text\n'));
const file = (name: string, { sha }: Object, mode = 0o100644): TreeEntry => ({ mode, name, sha });
const treeOf = (...entries: TreeEntry[]): Object => object('tree', encodeTree(entries));
const commitOf = ({ sha: tree }: Object, parents: Buffer[] = []): Object =>
  object('commit', encodeCommit({ tree, parents, author: ada, committer: ada, message: 'Hostile' }));

async function* packOf(objects: Object[]): AsyncGenerator<Buffer> {
  yield* packStream(
    (async function* () {
      for (const { packed } of objects) yield packed;
    })(),
    objects.length,
  );
}

type Metadata = Record<string, unknown>;
type Written = { refs?: Record<string, Buffer | string>; objects?: Object[]; project?: Metadata; manifest?: Metadata };

const project = {
  id: 'prj_1',
  name: 'Hostile',
  description: '',
  settings: { collaboration_enabled: true, auto_save: true, version_control: true },
};

async function* recordsOf({ refs = {}, objects = [], ...written }: Written): AsyncGenerator<BackupRecord> {
  const named = Object.entries(refs).map(([name, sha]) => ({ name, sha: sha.toString('hex') }));
  const manifest = { what: 'manifest', version: '0.2.0', made_at: '2026-11-16T00:00:00.000Z', ...written.manifest };
  yield { metadata: { ...manifest, project: { ...project, refs: named, ...written.project } } };
  yield { metadata: { what: 'table', name: 'git pack', columns: [] } };
  const pack = Buffer.concat(await Array.fromAsync(packOf(objects)));
  yield { data: pack };
  const sha256 = createHash('sha256').update(pack).digest('hex');
  yield { metadata: { what: 'table end', rows: objects.length, bytes: pack.length, sha256 } };
  yield { metadata: { what: 'end', tables: 1, rows: objects.length, sequences: {} } };
}

async function restore(records: AsyncIterable<BackupRecord>): Promise<string> {
  const path = projects.newPath();
  await writeBackupFile(fileAt(path), records, null);
  return projects.restore(owner, path);
}

async function refusalOf(written: Written | AsyncIterable<BackupRecord>): Promise<string> {
  const before = (await listProjects(service, owner)).pagination.total;
  const records = Symbol.asyncIterator in written ? written : recordsOf(written);
  const error = await restore(records).then(
    () => new Error('it was taken'),
    (reason: Error) => reason,
  );
  expect(error, error.stack).toBeInstanceOf(BackupError);
  expect(error.message).not.toMatch(/\p{Cc}/u);
  expect((await listProjects(service, owner)).pagination.total).toBe(before);
  expect(projects.inQuarantine()).toEqual([]);
  return error.message;
}

const main = 'refs/heads/main';
const tree = treeOf(file('a.txt', blob));
const commit = commitOf(tree);
const good = [blob, tree, commit];

test('sound objects are accepted, even a link and a submodule, which lead nowhere', async () => {
  const target = object('blob', Buffer.from('/etc/passwd'));
  const root = treeOf(file('a.txt', blob), file('link', target, 0o120000), file('module', commit, 0o160000));
  const tip = commitOf(root);
  const id = await restore(recordsOf({ refs: { [main]: tip.sha }, objects: [blob, target, root, tip] }));
  expect(await listPaths({ service, user: owner, projectId: id })).toEqual(['/a.txt']);
});

test('a restore does not touch what a running service has in quarantine', async () => {
  const push = projects.beginPush();
  await restore(recordsOf({ refs: { [main]: commit.sha }, objects: good }));
  expect(existsSync(push)).toBe(true);
});

test('references to missing objects, or to objects of the wrong type, are refused', async () => {
  expect(await refusalOf({ refs: { [main]: commit.sha } })).toContain('that was not sent');
  expect(await refusalOf({ refs: { [main]: Buffer.alloc(20, 7) }, objects: good })).toContain('that was not sent');
  expect(await refusalOf({ refs: { [main]: blob.sha }, objects: good })).toContain('a branch must point to a commit');
  expect(await refusalOf({ refs: { [main]: 'no id' }, objects: good })).toContain('out of order');
});

test('missing objects are noticed, even below objects that are there', async () => {
  expect(await refusalOf({ refs: { [main]: commit.sha }, objects: [tree, commit] })).toMatch(/missing|corrupt/);
  expect(await refusalOf({ refs: { [main]: commit.sha }, objects: [blob, commit] })).toMatch(/missing|corrupt/);
  const orphan = commitOf(tree, [Buffer.alloc(20, 9)]);
  expect(await refusalOf({ refs: { [main]: orphan.sha }, objects: [...good, orphan] })).toMatch(/missing|corrupt/);
});

test.for(['..', '.git', '.GIT', 'a/b', '', 'a\u0000b', 'a\u001b[2Jb', '.gitmodules'])(
  'a file called %j is refused, in another branch as well as at the head',
  async (name) => {
    const mode = name === '.gitmodules' ? '120000' : '100644';
    const root = object('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`), blob.sha]));
    const tip = commitOf(root);
    const objects = [...good, root, tip];
    expect(await refusalOf({ refs: { [main]: tip.sha }, objects })).toContain('rejected');
    expect(await refusalOf({ refs: { [main]: commit.sha, 'refs/heads/b': tip.sha }, objects })).toContain('rejected');
  },
);

test.for([
  'HEAD',
  'refs/hidden/x',
  'refs/heads/../../x',
  'refs/heads/a b',
  'refs/heads/\u001b[2J',
  'refs/heads/a.lock',
])('a reference called %j is refused, and with it the whole backup', async (name) => {
  expect(await refusalOf({ refs: { [main]: commit.sha, [name]: commit.sha }, objects: good })).toContain('rejected');
});

test('references that conflict with each other, and more than a repository can have, are refused', async () => {
  const nested = { [main]: commit.sha, 'refs/heads/a': commit.sha, 'refs/heads/a/b': commit.sha };
  expect(await refusalOf({ refs: nested, objects: good })).toContain('conflicts with');
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`refs/tags/${n}`, commit.sha]));
  expect(await refusalOf({ refs: many, objects: good })).toContain('at most 10000 references');
});

test('a reference that is listed twice is refused, because the checks of one would pass for the other', async () => {
  const other = commitOf(tree, [commit.sha]);
  const refs = [commit, other].map(({ sha }) => ({ name: main, sha: sha.toString('hex') }));
  expect(await refusalOf({ objects: [...good, other], project: { refs } })).toContain('lists a reference twice');
});

test('a pack that is corrupt, or does not match its description, is refused', async () => {
  const lying = { ...commit, packed: { ...commit.packed, size: commit.packed.size + 1 } };
  expect(await refusalOf({ refs: { [main]: commit.sha }, objects: [blob, tree, lying] })).toContain('corrupt');
  const bomb = object('blob', Buffer.alloc(20 * 2 ** 20));
  const root = treeOf(file('bomb', bomb));
  const tip = commitOf(root);
  expect(await refusalOf({ refs: { [main]: tip.sha }, objects: [bomb, root, tip] })).toContain('a file is larger than');
  const broken = commitOf(tree);
  broken.packed.deflated = deflateObject(Buffer.from('tree nonsense\n'));
  broken.packed.size = 14;
  expect(await refusalOf({ refs: { [main]: commit.sha }, objects: [blob, tree, broken] })).toContain('rejected');
});

test('a name or a setting that no project can have is refused', async () => {
  const written = { refs: { [main]: commit.sha }, objects: good };
  for (const name of ['', '  ', 'x'.repeat(1_000), 'a\u001b[2Jb', 7, null]) {
    expect(await refusalOf({ ...written, project: { name } })).toMatch(/name or the description|out of order/);
  }
  expect(await refusalOf({ ...written, project: { settings: { version_control: 'yes' } } })).toContain('out of order');
  expect(await refusalOf({ ...written, manifest: { made_at: '\u001b[2J' } })).toContain('out of order');
});

test('tables that a project does not have, and tables that are listed twice, are refused', async () => {
  const records = await Array.fromAsync(recordsOf({ refs: { [main]: commit.sha }, objects: good }));
  const asStream = async function* (all: unknown[]) {
    yield* all as BackupRecord[];
  };
  const [manifest, ...rest] = records;
  const [table, data, tableEnd] = rest;
  const end = { metadata: { what: 'end', tables: 2, rows: 6, sequences: {} } };
  expect(await refusalOf(asStream([manifest, table, data, tableEnd, table, data, tableEnd, end]))).toContain(
    'git pack',
  );
  const other = { metadata: { what: 'table', name: 'users', columns: ['id'] } };
  expect(await refusalOf(asStream([manifest, other, data, tableEnd, end]))).toContain('users');
  expect(await refusalOf(asStream([manifest, table, data, end]))).toContain('damaged');
  const unseen = { metadata: { what: 'table', name: 'a\u009b2J', columns: [] } };
  expect(await refusalOf(asStream([manifest, unseen, data, tableEnd, end]))).toContain('out of order');
  const wordy = { metadata: { ...(tableEnd as { metadata: Metadata }).metadata, rows: '\u001b[2J' } };
  expect(await refusalOf(asStream([manifest, table, data, wordy, end]))).toContain('out of order');
  // Both kinds at once: a field unknown to one kind must not pass as the other.
  const both = {
    ...(manifest as { metadata: Metadata }).metadata,
    migrations: [],
    postgres: 1,
    secret_key_check: null,
    project: {},
  };
  expect(await refusalOf(asStream([{ metadata: both }, ...rest]))).toContain('out of order');
});
