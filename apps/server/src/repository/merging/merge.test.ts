import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, inProject, listPaths, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';
import { branched, change, compared, merge, merged, refusalIn } from './merging.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_FILES_LIMIT_FREE: '5', BOTTEGA_FILE_LIMIT: '33554432' } });
const client = useGitClient(service);

const notValid = { status: 422, code: 'VALIDATION_ERROR' } as const;

const apart = {
  base: { 'a.txt': 'one\n', 'b.txt': 'one\n' },
  ours: { 'a.txt': 'ours\n' },
  theirs: { 'b.txt': 'theirs\n' },
};

describe('a merge', () => {
  test('is a commit by the caller with both parents, and is visible by REST and in a clone', async () => {
    const place = await branched(service, client, apart);
    const [ours, theirs] = (await place.clone.git('rev-parse', 'main', 'feature')).split('\n');
    const commit = await merged(place);
    expect(commit).toMatchObject({ message: "Merge branch 'feature' into main", parents: [ours, theirs] });
    expect(commit.author.email).toBe(place.user.email);
    expect(await contentAt(place, '/a.txt')).toBe('ours\n');
    expect(await contentAt(place, '/b.txt')).toBe('theirs\n');
    await place.clone.git('pull', '--quiet');
    expect(await place.clone.git('rev-parse', 'HEAD')).toBe(commit.sha);
    await place.clone.git('fsck', '--strict');
  });

  test('writes events for the files that it changes, as a push does', async () => {
    const place = await branched(service, client, apart);
    const { sha } = await merged(place, { message: 'Both' });
    const { rows } = await service.pool.query(
      `select type, data from events where project_id = $1 and data->>'commit_sha' = $2`,
      [place.projectId, sha],
    );
    expect(rows.map(({ type }) => type)).toEqual(['file.updated']);
  });

  test('into a branch other than main does not change the files of main', async () => {
    const place = await branched(service, client, apart);
    await merged(place, { source: 'main', target: 'feature' });
    expect(await contentAt(place, '/b.txt')).toBe('one\n');
    await place.clone.git('fetch', '--quiet');
    expect(await place.clone.git('show', 'origin/feature:a.txt')).toBe('ours');
  });

  test('is made once for an Idempotency-Key, and its answer is replayed', async () => {
    const place = await branched(service, client, apart);
    const key = { 'idempotency-key': 'merge-1' };
    const first = await merge(place, {}, key);
    const again = await merge(place, {}, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectError(await merge(place, { message: 'Other' }, key), {
      status: 422,
      code: 'VALIDATION_ERROR',
      field: 'Idempotency-Key',
    });
  });

  test('needs the right to write', async () => {
    const place = await branched(service, client, apart);
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    expectError(await merge({ ...place, user: viewer }), { status: 403, code: 'AUTHORIZATION_ERROR' });
    const stranger = await service.createUser();
    expectError(await merge({ ...place, user: stranger }), { status: 404, code: 'NOT_FOUND' });
    const reader = await service.createKey(place.user.id, { scopes: ['read:files'] });
    expectError(await merge({ ...place, user: reader }), { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('is refused if main would have more files than the owner’s plan allows', async () => {
    const place = await branched(service, client, {
      base: { 'a.txt': 'a\n' },
      ours: { 'b.txt': 'b\n', 'c.txt': 'c\n' },
      theirs: { 'd.txt': 'd\n', 'e.txt': 'e\n', 'f.txt': 'f\n' },
    });
    expectError(await merge(place), notValid);
    expect(await listPaths(place)).toEqual(['/a.txt', '/b.txt', '/c.txt']);
  });
});

describe('the strategies of a merge:', () => {
  test('squash makes one commit, whose only parent is the target', async () => {
    const place = await branched(service, client, apart);
    const ours = await place.clone.git('rev-parse', 'main');
    const commit = await merged(place, { strategy: 'squash' });
    expect(commit).toMatchObject({ message: "Squash branch 'feature' into main", parents: [ours] });
    expect(await contentAt(place, '/b.txt')).toBe('theirs\n');
  });

  test('fast-forward moves the target to the source, and is refused if the target has commits of its own', async () => {
    const place = await branched(service, client, apart);
    expect(refusalIn(await merge(place, { strategy: 'fast-forward' })).reason).toBe('not_fast_forward');
    const { sha } = await merged(place, { source: 'main', target: 'feature' });
    expect((await merged(place, { strategy: 'fast-forward' })).sha).toBe(sha);
    expect(await contentAt(place, '/b.txt')).toBe('theirs\n');
  });

  test('merge makes a commit even if the target could be fast-forwarded', async () => {
    const place = await branched(service, client, apart);
    await merged(place, { source: 'main', target: 'feature' });
    expect((await merged(place)).parents).toHaveLength(2);
  });
});

describe('a merge is refused for', () => {
  test('a source that the target already contains', async () => {
    const place = await branched(service, client, apart);
    await merged(place);
    expect(refusalIn(await merge(place)).reason).toBe('nothing_to_merge');
    expect(refusalIn(await merge(place, { source: 'main' })).reason).toBe('nothing_to_merge');
  });

  test('a source without a common commit', async () => {
    const place = await branched(service, client, apart);
    await place.clone.git('checkout', '--quiet', '--orphan', 'alone');
    await change(place.clone, 'Alone', { 'c.txt': 'c\n' });
    await place.clone.git('push', '--quiet', 'origin', 'alone');
    expect(refusalIn(await merge(place, { source: 'alone' })).reason).toBe('unrelated_histories');
  });

  test('a source or a target that has moved since the caller saw it', async () => {
    const place = await branched(service, client, apart);
    const [ours = '', theirs = ''] = (await place.clone.git('rev-parse', 'main', 'feature')).split('\n');
    expect(refusalIn(await merge(place, { target_sha: theirs })).reason).toBe('target_moved');
    expect(refusalIn(await merge(place, { source_sha: ours })).reason).toBe('source_moved');
    await merged(place, { source_sha: theirs, target_sha: ours });
  });

  test('a name of no branch, or a name with a special meaning in git', async () => {
    const place = await branched(service, client, apart);
    const names = [
      'nothing',
      '--upload-pack=x',
      '-h',
      'main:a.txt',
      'main^',
      'refs/heads/main',
      '../main',
      'a b',
      'HEAD',
    ];
    for (const name of names) {
      expectError(await merge(place, { source: name }), { ...notValid, field: 'source' });
      expectError(await merge(place, { target: name }), { ...notValid, field: 'target' });
    }
  });

  test('a tag or a commit as the target, although both can be a source', async () => {
    const place = await branched(service, client, apart);
    await place.clone.git('tag', 'v1', 'feature');
    await place.clone.git('push', '--quiet', 'origin', 'v1');
    const theirs = await place.clone.git('rev-parse', 'feature');
    expectError(await merge(place, { source: 'main', target: 'v1' }), { ...notValid, field: 'target' });
    expectError(await merge(place, { source: 'main', target: theirs }), { ...notValid, field: 'target' });
    expect((await merged(place, { source: theirs })).message).toBe(`Merge commit '${theirs}' into main`);
    expect(refusalIn(await merge(place, { source: 'v1' })).reason).toBe('nothing_to_merge');
  });

  test('a project without version control', async () => {
    const place = await branched(service, client, apart);
    await inProject(place, 'PATCH', '', { json: { settings: { version_control: false } } });
    expectError(await merge(place), { status: 409, code: 'CONFLICT' });
  });
});

describe('a file that both sides changed', () => {
  const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024, '\n');
  const around = (text: Buffer, line: string) => Buffer.concat([Buffer.from(`${line}\n`), text]);

  test('is refused with its size if it is too large to be merged, and then mergeable is null in a comparison', async () => {
    const large = mebibytes(17);
    const sides = {
      base: { big: large },
      ours: { big: around(large, 'ours') },
      theirs: { big: around(large, 'theirs') },
    };
    const place = await branched(service, client, sides, { plan: 'pro' });
    const answer = await merge(place);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR' });
    expect(answer.text).toContain(`Both sides changed /big, which has ${large.length + 7} bytes`);
    expect(await compared(place)).toMatchObject({ mergeable: null, conflicts: [] });
  });

  test('is refused if its lines would need too much memory in git, and merged if they are fewer', async () => {
    const lines = mebibytes(9);
    const sides = {
      base: { big: lines },
      ours: { big: around(lines, 'ours') },
      theirs: { big: around(lines, 'theirs') },
    };
    const place = await branched(service, client, sides, { plan: 'pro' });
    expectError(await merge(place), { status: 422, code: 'VALIDATION_ERROR' });
    expect(await compared(place)).toMatchObject({ mergeable: null, conflicts: [] });
    const text = Buffer.from('a line of some length\n'.repeat(400_000));
    const usual = {
      base: { big: text },
      ours: { big: around(text, 'ours') },
      theirs: { big: Buffer.concat([text, Buffer.from('theirs')]) },
    };
    await merged(await branched(service, client, usual, { plan: 'pro' }));
  });
});

test('a client that disconnects cancels its merge, and nothing changes', async () => {
  const place = await branched(service, client, apart);
  const holder = await service.pool.connect();
  const before = await place.clone.git('ls-remote', 'origin', 'main');
  try {
    await holder.query('begin');
    await holder.query('lock table git_refs in access exclusive mode');
    const leaving = new AbortController();
    const asked = fetch(`${service.url}/v1/projects/${place.projectId}/merges`, {
      method: 'POST',
      headers: { authorization: `Bearer ${place.user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'feature', target: 'main' }),
      signal: leaving.signal,
    });
    await waitFor('the merge to wait', async () => {
      const { rows } = await service.pool.query('select from pg_locks where not granted');
      return rows.length > 0;
    });
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await holder.query('rollback');
  } finally {
    holder.release(true);
  }
  // This merge waits for its turn behind the abandoned one.
  expect(refusalIn(await merge(place, { source: 'main' })).reason).toBe('nothing_to_merge');
  expect(await place.clone.git('ls-remote', 'origin', 'main')).toBe(before);
});

test('attributes in the tree neither change how a file is merged nor run anything', async () => {
  const attributes = '* merge=union filter=evil\n*.lock merge=evil\n';
  const place = await branched(service, client, {
    base: { '.gitattributes': attributes, 'a.txt': 'one\n' },
    ours: { 'a.txt': 'ours\n' },
    theirs: { 'a.txt': 'theirs\n' },
  });
  expect(refusalIn(await merge(place)).conflicts).toMatchObject([{ path: '/a.txt', kind: 'content' }]);
});

/** As every client does: a service that is asked to wait too long says so with 503, and has not merged. */
async function mergePatiently(place: Parameters<typeof merge>[0], source: string): ReturnType<typeof merge> {
  const answer = await merge(place, { source });
  return answer.status === 503 ? mergePatiently(place, source) : answer;
}

test('each of twenty parallel merges into one branch is made at most once, and a clone agrees', async () => {
  const place = await branched(service, client, apart, { plan: 'pro' });
  const names = Array.from({ length: 20 }, (_, n) => `topic-${n}`);
  for (const name of names) {
    await place.clone.git('checkout', '--quiet', '-b', name, 'main');
    await change(place.clone, name, { [`${name}.txt`]: `${name}\n` });
  }
  await place.clone.git('push', '--quiet', 'origin', ...names);
  const writes = Array.from({ length: 5 }, (_, n) => writeFile(place, `/written-${n}.txt`));
  const answers = await Promise.all(names.map((source) => mergePatiently(place, source)));
  await Promise.all(writes);
  for (const answer of answers) if (answer.status !== 201) expect(refusalIn(answer).reason).toBe('target_moved');
  const made = names.filter((_, n) => answers[n]?.status === 201);
  expect(made.length).toBeGreaterThan(0);
  const clone = await client.clone(place.projectId, place.user);
  await clone.git('fsck', '--strict');
  const subjects = (await clone.git('log', '--merges', '--format=%s')).split('\n');
  expect(subjects.toSorted()).toEqual(made.map((name) => `Merge branch '${name}' into main`).toSorted());
  const paths = await listPaths(place);
  for (const name of names) expect(paths.includes(`/${name}.txt`), name).toBe(made.includes(name));
});
