import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, putFile, useDirectory, useGitClient } from '../smart-http/git-client.fixture.ts';

/** A git that works normally, unless a file beside it says how the next archive ends. */
const programs = useDirectory('programs');
const [breaksOff, waits] = [join(programs, 'breaks-off'), join(programs, 'waits')];
writeFileSync(
  join(programs, 'git'),
  `#!/bin/sh
case " $* " in
*" archive "*)
  if [ -e ${breaksOff} ]; then echo half; echo "fatal: no more" >&2; exit 1; fi
  while [ -e ${waits} ]; do touch ${programs}/running.$$; sleep 0.05; done ;;
esac
PATH='${process.env.PATH}' exec git "$@"
`,
  { mode: 0o755 },
);

const data = useDirectory('data');
mkdirSync(join(data, 'cache'), { mode: 0o755 });
const service = useTestService({
  settings: { BOTTEGA_DATA_DIR: data, PATH: `${programs}:${process.env.PATH}`, BOTTEGA_GIT_PROCESSES: '2' },
});
const client = useGitClient(service);
let owner: TestUser;
let projectId: string;
let clone: Clone;

beforeAll(async () => {
  owner = await service.createUser();
});

beforeEach(async () => {
  for (const name of await readdir(programs)) if (name.startsWith('running.')) await rm(join(programs, name));
  projectId = (await createProject(service, owner, { name: 'p' })).id;
  await putFile(service, owner, projectId, ['/a.txt', '$Format:%H$ $Id$ one\n']);
  clone = await client.clone(projectId, owner);
});

const download = (query = '', { key } = owner, signal?: AbortSignal): Promise<Response> =>
  fetch(`${service.url}/v1/projects/${projectId}/archive${query}`, {
    headers: { authorization: `Bearer ${key}` },
    ...(signal && { signal }),
  });

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('an archive', () => {
  test('has the files as they are, whatever attributes the tree sets', async () => {
    const attributes = '*.txt export-subst ident eol=crlf working-tree-encoding=UTF-16\n/secret export-ignore\n';
    await putFile(service, owner, projectId, ['/.gitattributes', attributes]);
    await putFile(service, owner, projectId, ['/secret', 'not so secret\n']);
    const tar = gunzipSync(await bytesOf(await download('?format=tar.gz'))).toString('latin1');
    expect(tar).toContain('$Format:%H$ $Id$ one\n');
    expect(tar).toContain('not so secret\n');
  });

  test.each(['zip', 'tar.gz'])('during which git fails is not a complete %s', async (format) => {
    await writeFile(breaksOff, '');
    try {
      const half = download(`?format=${format}`).then((response) =>
        response.status === 200 ? response.arrayBuffer() : Promise.reject(new Error(String(response.status))),
      );
      await expect(half).rejects.toThrow();
    } finally {
      await rm(breaksOff);
    }
    expect((await bytesOf(await download())).length).toBeGreaterThan(100);
  });

  test('of too many bytes is refused before git starts', async () => {
    await clone.write('.git/blob', Buffer.alloc(10 * 1024 * 1024));
    const blob = await clone.git('hash-object', '-w', '.git/blob');
    const entries = Array.from({ length: 500 }, (_, n) => `100644 blob ${blob}\tf${n}\n`).join('');
    await clone.write('.git/entries', entries);
    const tree = await clone.git('-c', 'alias.make=!git mktree < .git/entries', 'make');
    const commit = await clone.git('commit-tree', tree, '-m', 'Large');
    await clone.git('push', '--quiet', 'origin', `${commit}:refs/heads/large`);
    const response = await download('?ref=large');
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('5242880000 bytes')]);
  });
});

test('one account can use only a part of the git processes, and a client that disconnects frees its turn', async () => {
  const other = await service.createUser();
  const others = (await createProject(service, other)).id;
  await putFile(service, other, others, ['/b.txt', 'b']);
  await writeFile(waits, '');
  const gone = new AbortController();
  try {
    const leaving = download('', owner, gone.signal).catch((error: Error) => error.name);
    const waiting = download();
    // The owner's only turn is taken, and a second request of theirs waits. A stranger can still clone.
    const cloned = await client.clone(others, other);
    expect(await cloned.git('show', 'HEAD:b.txt')).toBe('b');
    const running = async () => (await readdir(programs)).filter((name) => name.startsWith('running.')).length;
    await waitFor('git is at work', async () => (await running()) > 0);
    expect(await running()).toBe(1);
    gone.abort();
    expect(await leaving).toBe('AbortError');
    await rm(waits);
    expect((await bytesOf(await waiting)).length).toBeGreaterThan(100);
  } finally {
    gone.abort();
    await rm(waits, { force: true });
  }
});

test('a client that asks for the references before a push waits for a turn, too', async () => {
  await writeFile(waits, '');
  const gone = new AbortController();
  try {
    const archive = download('', owner, gone.signal).catch(() => null);
    const running = async () => (await readdir(programs)).some((name) => name.startsWith('running.'));
    await waitFor('git is at work', running);
    // A hundred requests wait. One more is refused at once.
    const asked = Array.from({ length: 101 }, async () => {
      const { status } = await fetch(`${service.url}/git/${projectId}.git/info/refs?service=git-receive-pack`, {
        headers: { authorization: `Bearer ${owner.key}` },
        signal: gone.signal,
      });
      return status;
    });
    const all = Promise.allSettled(asked);
    expect(await Promise.race(asked)).toBe(503);
    gone.abort();
    await Promise.all([all, archive]);
  } finally {
    gone.abort();
    await rm(waits, { force: true });
  }
});

test('the cache directory is closed to other users, even if it was open before', async () => {
  expect((await stat(join(data, 'cache'))).mode & 0o777).toBe(0o700);
});
