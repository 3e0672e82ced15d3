import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { startNode } from '../../testing/service/node.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { putFile, useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';
import { createGitCaches, type GitCaches } from './cache.ts';
import { askGit, gitDescriber } from './git-process.ts';
import { createGitProgram } from './git-program.ts';

const data = useDirectory('data');
const service = useTestService({ settings: { BOTTEGA_DATA_DIR: data } });
const client = useGitClient(service);
const git = createGitProgram({ executablePath: process.env.PATH ?? '', home: data });
afterAll(git.starter.close);
let owner: TestUser;
let projectId: string;
let directory: string;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  projectId = (await createProject(service, owner)).id;
  directory = join(data, 'cache/git', `${projectId}.git`);
  for (const name of ['a', 'b']) await putFile(service, owner, projectId, [`/${name}.txt`, name]);
  await client.clone(projectId, owner);
});

const packs = async () => (await readdir(join(directory, 'objects/pack'))).filter((name) => name.endsWith('.pack'));

test('a deleted cache is rebuilt', async () => {
  await rm(directory, { recursive: true });
  expect(await (await client.clone(projectId, owner)).git('rev-list', '--count', 'HEAD')).toBe('2');
});

test('a sync that was killed half-way is repeated', async () => {
  await rm(join(directory, 'synced'));
  await writeFile(join(directory, 'objects/pack/tmp_pack_dead'), 'PACK');
  expect(await (await client.clone(projectId, owner)).git('rev-list', '--count', 'HEAD')).toBe('2');
});

/** Git makes its packs read-only, which matters to every user but root. */
async function damage(pack: string): Promise<void> {
  await chmod(pack, 0o600);
  await truncate(pack, 30);
}

test('a cache that lost its references or its objects is repaired automatically', async () => {
  await rm(join(directory, 'packed-refs'));
  expect((await client.tryClone(projectId, owner.key)).ok).toBe(true);
  for (const name of await packs()) await damage(join(directory, 'objects/pack', name));
  await client.tryClone(projectId, owner.key);
  expect((await client.tryClone(projectId, owner.key)).ok).toBe(true);
});

test('a push to a damaged cache fails once, stores nothing, and repairs it', async () => {
  const clone = await client.clone(projectId, owner);
  const long = Array.from({ length: 500 }, (_, line) => `${line} ${line * 7919}`).join('\n');
  await clone.commit('Long', { 'long.txt': long });
  await clone.git('push', '--quiet');
  await client.clone(projectId, owner);
  await clone.commit('Longer', { 'long.txt': `${long}\nend` });
  for (const name of await packs()) await damage(join(directory, 'objects/pack', name));
  expect((await clone.tryGit('push')).ok).toBe(false);
  await clone.git('push', '--quiet');
  expect((await client.tryClone(projectId, owner.key)).ok).toBe(true);
});

const storedTables = ['git_objects', 'git_commits', 'git_refs', 'directories', 'files'];

/** Backs up the project's rows and returns a function that restores them. */
async function backUp(): Promise<() => Promise<void>> {
  const { pool } = service;
  for (const table of storedTables) {
    await pool.query(`create table kept_${table} as select * from ${table} where project_id = '${projectId}'`);
  }
  const { rows } = await pool.query('select max(seq) as seq from git_objects');
  return async () => {
    for (const table of storedTables.toReversed())
      await pool.query(`delete from ${table} where project_id = $1`, [projectId]);
    for (const table of storedTables) {
      await pool.query(`insert into ${table} overriding system value select * from kept_${table}`);
      await pool.query(`drop table kept_${table}`);
    }
    await pool.query(`select setval(pg_get_serial_sequence('git_objects', 'seq'), $1)`, [rows[0].seq]);
  };
}

test.each([
  ['fewer objects than', 1, 3],
  ['as many objects as', 3, 3],
  ['more objects than', 5, 3],
])(
  'a cache of lost objects is rebuilt after the database was restored and got %s were lost',
  async (_which, after, before) => {
    const restore = await backUp();
    for (let n = 0; n < before; n++) await putFile(service, owner, projectId, [`/lost-${n}.txt`, `lost ${n}`]);
    await client.clone(projectId, owner);
    await restore();
    for (let n = 0; n < after; n++) await putFile(service, owner, projectId, [`/new-${n}.txt`, `new ${n}`]);
    const clone = await client.clone(projectId, owner);
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe(String(2 + after));
    expect((await clone.tryGit('fsck', '--strict', '--full')).ok).toBe(true);
  },
);

test('a cache that lacks an object, which git reports as corruption, is rebuilt for the next client', async () => {
  // Loose objects can be deleted one by one.
  const [pack = ''] = await packs();
  await rename(join(directory, 'objects/pack', pack), join(data, pack));
  await rm(join(directory, 'objects/pack', pack.replace('.pack', '.idx')));
  const unpacked = createReadStream(join(data, pack));
  await askGit(git, [`--git-dir=${directory}`, 'unpack-objects', '-q'], { input: unpacked });
  const tree = (await askGit(git, [`--git-dir=${directory}`, 'rev-parse', 'main^{tree}'])).trim();
  await rm(join(directory, 'objects', tree.slice(0, 2), tree.slice(2)));
  expect(await client.tryClone(projectId, owner.key)).toMatchObject({ ok: false });
  expect(await client.tryClone(projectId, owner.key)).toMatchObject({ ok: true });
});

test('a file in place of the cache directory is replaced', async () => {
  await rm(directory, { recursive: true });
  await writeFile(directory, 'a file');
  expect((await client.tryClone(projectId, owner.key)).ok).toBe(true);
});

test('many parallel clones during writes are all intact', async () => {
  await rm(directory, { recursive: true });
  const clones = Array.from({ length: 8 }, () => client.clone(projectId, owner));
  const writes = Array.from({ length: 8 }, (_, n) => putFile(service, owner, projectId, [`/w${n}`, `${n}`]));
  await Promise.all(writes);
  for (const clone of await Promise.all(clones)) {
    expect((await clone.tryGit('fsck', '--strict')).ok).toBe(true);
    await clone.git('pull', '--quiet', '--ff-only');
    expect(await clone.git('rev-list', '--count', 'HEAD')).toBe('10');
  }
});

describe('combining many small packs', () => {
  const errors: unknown[] = [];
  let caches: GitCaches;
  beforeEach(async () => {
    const root = await mkdtemp(join(data, 'packs-'));
    directory = join(root, `${projectId}.git`);
    const onError = (error: unknown) => errors.push(error);
    caches = createGitCaches({ db: service.db, git, root, maxBytes: Number.MAX_SAFE_INTEGER, onError });
  });
  afterEach(async () => {
    await caches.close();
    expect(errors).toEqual([]);
  });

  const sync = () => caches.withCache(projectId, async () => undefined);

  /** Each sync adds a pack. More than twenty packs are combined into one. */
  async function growUntilRepacked(): Promise<void> {
    for (let n = 0; n < 22; n++) {
      await putFile(service, owner, projectId, ['/again.txt', `${n}`]);
      await sync();
    }
    await waitFor('the packs are one', async () => (await packs()).length < 5);
  }
  const inCache = (...args: string[]) => askGit(git, [`--git-dir=${directory}`, ...args]);

  test('leaves one pack, and loses nothing', async () => {
    await growUntilRepacked();
    expect(await inCache('rev-list', '--count', 'main')).toBe('24\n');
    await inCache('fsck', '--strict', '--full');
  });

  test('keeps the objects of a branch that is deleted and comes back', async () => {
    const clone = await client.clone(projectId, owner);
    const sha = await clone.commit('On a branch', { 'branch.txt': 'x' });
    await clone.git('push', '--quiet', 'origin', `${sha}:refs/heads/side`);
    await sync();
    await clone.git('push', '--quiet', 'origin', ':side');
    await growUntilRepacked();
    await service.db
      .insertInto('git_refs')
      .values({ project_id: projectId, name: 'refs/heads/side', sha: Buffer.from(sha, 'hex') })
      .execute();
    await sync();
    expect(await inCache('rev-list', '--objects', 'side')).toContain(sha);
    await inCache('fsck', '--strict', '--full');
  });
});

test('git is asked for its version only once, however often the readiness of the node is checked', async () => {
  let starts = 0;
  const start: typeof git.starter.start = (command) => {
    starts++;
    return git.starter.start(command);
  };
  const describeGit = gitDescriber({ ...git, starter: { ...git.starter, start } });
  const answers = await Promise.all([describeGit(), describeGit()]);
  expect([...answers, await describeGit()]).toEqual(
    Array(3).fill({ version: expect.stringMatching(/^2/), problem: null }),
  );
  expect(starts).toBe(1);
});

test('another node with its own cache serves what was pushed to this node', async () => {
  const clone = await client.clone(projectId, owner);
  const sha = await clone.commit('Pushed to one node', { 'x.txt': 'x' });
  await clone.git('push', '--quiet');
  const other = await startNode({
    connection: service.database.connection,
    settings: { BOTTEGA_DATA_DIR: join(data, 'other') },
  });
  try {
    const address = client.addressOf(projectId, owner.key).replace(new URL(service.url).host, new URL(other.url).host);
    expect(await client.at(client.root).git('ls-remote', address, 'main')).toContain(sha);
  } finally {
    await other.close();
  }
});

describe('on a full disk', () => {
  const full = 'cat > /dev/null; echo "fatal: write error: No space left on device" >&2; exit 128';

  /** Caches on a disk that has no room for a pack, this many times. */
  async function onFullDisk(times: number) {
    const root = await mkdtemp(join(data, 'full-'));
    let left = 0;
    const start: typeof git.starter.start = (command) =>
      git.starter.start(command.args.includes('index-pack') && left-- > 0 ? { ...command, script: full } : command);
    const onError = () => undefined;
    const program = { ...git, starter: { ...git.starter, start } };
    const caches = createGitCaches({ db: service.db, git: program, root, maxBytes: 2 ** 40, onError });
    const fill = () => {
      left = times;
    };
    return { root, caches, fill };
  }

  test('other caches are removed for one that is needed', async () => {
    const { root, caches, fill } = await onFullDisk(1);
    const second = (await createProject(service, owner)).id;
    await putFile(service, owner, second, ['/x.txt', 'x']);
    await caches.withCache(projectId, async () => undefined);
    fill();
    await caches.withCache(second, async () => undefined);
    expect((await readdir(root)).filter((name) => name.endsWith('.git'))).toEqual([`${second}.git`]);
    await caches.close();
  });

  test('the client is told to try again if the disk stays full', async () => {
    const { root, caches, fill } = await onFullDisk(2);
    fill();
    await expect(caches.withCache(projectId, async () => undefined)).rejects.toMatchObject({ status: 503 });
    expect(await readdir(root)).toEqual([]);
    await caches.withCache(projectId, async () => undefined);
    await caches.close();
  });
});

test('the least recently used caches are removed if all together are too large, unless they are in use', async () => {
  const root = await mkdtemp(join(data, 'small-'));
  const errors: unknown[] = [];
  const caches = createGitCaches({ db: service.db, git, root, maxBytes: 0, onError: (error) => errors.push(error) });
  const second = (await createProject(service, owner)).id;
  await putFile(service, owner, second, ['/x.txt', 'x']);
  await caches.withCache(projectId, async () => {
    await caches.withCache(second, async () => undefined);
    // The directory is moved away first and then removed.
    await waitFor('only the other is left', async () => (await readdir(root)).join() === `${projectId}.git`);
  });
  await waitFor('the other goes when its use ends', async () => (await readdir(root)).length === 0);
  await caches.close();
  expect(errors).toEqual([]);
});

describe('processes that share the caches of a machine', () => {
  const errors: unknown[] = [];
  const opened: GitCaches[] = [];
  let root: string;
  let second: string;
  beforeEach(async () => {
    root = await mkdtemp(join(data, 'shared-'));
    second = (await createProject(service, owner)).id;
    await putFile(service, owner, second, ['/x.txt', 'x']);
  });
  afterEach(async () => {
    for (const caches of opened.splice(0)) await caches.close();
    expect(errors.splice(0)).toEqual([]);
  });

  /** The limit is zero, so that each sync evicts every cache that is not in use. */
  function openProcess(): GitCaches {
    const onError = (error: unknown) => errors.push(error);
    const caches = createGitCaches({ db: service.db, git, root, maxBytes: 0, onError });
    opened.push(caches);
    return caches;
  }
  const left = async () => (await readdir(root)).toSorted().join();

  test('do not evict a cache that another process uses, and evict it once it is unused', async () => {
    const [one, other] = [openProcess(), openProcess()];
    await one.withCache(projectId, async () => {
      await other.withCache(second, async () => undefined);
      await waitFor('the other is left', async () => (await left()) === `${projectId}.git`);
    });
    await putFile(service, owner, second, ['/x.txt', 'y']);
    await other.withCache(second, async () => undefined);
    await waitFor('nothing is left', async () => (await left()) === '');
  });

  test('find a cache complete whenever they use it, however often others evict it', async () => {
    const processes = [openProcess(), openProcess(), openProcess()];
    const rounds = fuzzRuns(300, 30);
    const readAll = (directory: string) => askGit(git, [`--git-dir=${directory}`, 'rev-list', '--objects', 'main']);
    await Promise.all(
      processes.map(async (caches, index) => {
        for (let round = 0; round < rounds; round++) {
          const used = (round + index) % 2 === 0 ? projectId : second;
          expect(await caches.withCache(used, readAll)).not.toBe('');
        }
      }),
    );
  });

  test('ignore marks of a process that was killed, or that had the same process id before', async () => {
    await mkdir(`${root}-marks`);
    // Linux has no process ids above 2 to the power of 22.
    const dead = 2 ** 22 + 1;
    const names = [`${projectId}.use.${dead}.0badcafe.1`, `${projectId}.evict.${process.pid}.0badcafe.2`];
    for (const name of names) await writeFile(join(`${root}-marks`, name), '');
    await openProcess().withCache(projectId, async () => undefined);
    await waitFor('it is evicted', async () => (await left()) === '');
    await waitFor('the marks are gone', async () => (await readdir(`${root}-marks`)).length === 0);
  });
});
