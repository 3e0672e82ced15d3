import type { Commit, File, SearchResults } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, invalid } from '../../testing/clients/expect-error.ts';
import {
  commit,
  contentAt,
  history,
  idAt,
  inProject,
  listFiles,
  listPaths,
  newBranchPlace,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';

const service = useTestService();
const { clone } = useGitClient(service);

/** A project with two files on main, and a branch `feature` of it. */
async function furnished(): Promise<{ main: Place; feature: Place }> {
  const main = await newPlace(service);
  await commit(main, [
    { action: 'create', path: '/README.md', content: '# Title\n' },
    { action: 'create', path: '/src/main.ts', content: 'one\n' },
  ]);
  expect((await inProject(main, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
  return { main, feature: { ...main, branch: 'feature' } };
}

async function eventsOf({ projectId }: Place): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return (await service.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('project_id', '=', projectId)
    .orderBy('seq')
    .execute()) as { type: string; data: Record<string, unknown> }[];
}

describe('a write to a branch', () => {
  test('is a commit that main does not have, and the answer and the event contain the name of the branch', async () => {
    const { main, feature } = await furnished();
    const before = (await history(main)).data[0]?.sha;
    const written = await putFile(feature, { path: '/src/main.ts', content: 'two\n' });
    expect(written.status, written.text).toBe(200);
    expect(written.body).toMatchObject({ path: '/src/main.ts', size: 4, branch: 'feature' });
    expect(await contentAt(feature, '/src/main.ts')).toBe('two\n');
    expect(await contentAt(main, '/src/main.ts')).toBe('one\n');
    const [newest] = (await history(feature)).data;
    expect(newest).toMatchObject({ sha: written.body.commit_sha, parents: [before] });
    expect((await history(main)).data[0]?.sha).toBe(before);
    const updated = (await eventsOf(main)).findLast(({ type }) => type === 'file.updated');
    expect(updated?.data).toMatchObject({ branch: 'feature', file_path: '/src/main.ts', commit_sha: newest?.sha });
  });

  test('that does not exist is refused with a hint, for every kind of write and read', async () => {
    const { main } = await furnished();
    const nowhere = { ...main, branch: 'nowhere' };
    const id = await idAt(main, '/README.md');
    const answers = [
      await putFile(nowhere, { path: '/a', content: '' }),
      await inProject(nowhere, 'DELETE', `/files/${id}`),
      await inProject(nowhere, 'POST', `/files/${id}/move`, { json: { path: '/b' } }),
      await commit(nowhere, [{ action: 'create', path: '/a', content: '' }]),
      await inProject(nowhere, 'GET', '/files'),
      await inProject(nowhere, 'GET', `/files/${id}/content`),
      await inProject(nowhere, 'GET', '/commits'),
      await inProject(nowhere, 'GET', '/search?q=Title'),
    ];
    for (const answer of answers) {
      expectError(answer, { status: 404, code: 'NOT_FOUND' });
      expect(JSON.stringify(answer.body)).toContain('create_branch_from');
    }
    expect(await listPaths(main, '?recursive=true&branch=main')).toEqual(await listPaths(main));
  });

  test('creates the branch with create_branch_from, unless the write is refused', async () => {
    const { main } = await furnished();
    const fresh = { ...main, branch: 'fresh' };
    const refused = await putFile(
      fresh,
      { path: '/README.md', content: 'x', create_branch_from: 'main' },
      { 'if-none-match': '*' },
    );
    expect(refused.status).toBe(412);
    expectError(await inProject(fresh, 'GET', '/files'), { status: 404, code: 'NOT_FOUND' });
    const made = await putFile(fresh, { path: '/new.md', content: 'x', create_branch_from: 'main' });
    expect([made.status, made.body.branch], made.text).toEqual([201, 'fresh']);
    expect(await listPaths(fresh)).toEqual(['/README.md', '/new.md', '/src', '/src/main.ts']);
    const again = await putFile(fresh, { path: '/new.md', content: 'x', create_branch_from: 'main' });
    expect([again.status, again.body.commit_sha]).toEqual([200, made.body.commit_sha]);
    const other = { ...main, branch: 'other' };
    const json = {
      branch: 'other',
      create_branch_from: 'fresh',
      changes: [{ action: 'delete', path: '/README.md' }],
    };
    expect((await inProject(main, 'POST', '/commits', { json })).status).toBe(201);
    expect(await listPaths(other)).toEqual(['/new.md', '/src', '/src/main.ts']);
    const nonsense = { path: '/a', content: '', branch: 'third', create_branch_from: 'nothing' };
    expectError(await putFile(main, nonsense), { ...invalid, field: 'create_branch_from' });
    const nowhere = { path: '/a', content: '', create_branch_from: 'main' };
    expectError(await putFile(main, nowhere), { ...invalid, field: 'branch' });
  });

  test('is refused without version control, and a branch together with a ref is invalid', async () => {
    const place = await newPlace(service, { settings: { version_control: false } });
    const branch = { ...place, branch: 'feature' };
    expectError(await putFile(branch, { path: '/a', content: '' }), { status: 409, code: 'CONFLICT' });
    expectError(await inProject(place, 'GET', '/files?ref=main&branch=main'), { ...invalid, field: 'branch' });
  });

  test('increases the number of files that is counted for this branch', async () => {
    const { main, feature } = await furnished();
    await writeFile(feature, '/one');
    await writeFile(feature, '/two');
    const { files_count } = await service.db
      .selectFrom('git_refs')
      .select('files_count')
      .where('project_id', '=', main.projectId)
      .where('name', '=', 'refs/heads/feature')
      .executeTakeFirstOrThrow();
    expect(files_count).toBe(4);
  });
});

describe('the id of a file or directory on a branch', () => {
  test('is the one that main has at the same path, and stays the same after a change or a move there', async () => {
    const { main, feature } = await furnished();
    const id = await idAt(main, '/src/main.ts');
    expect(await idAt(feature, '/src/main.ts')).toBe(id);
    expect((await writeFile(feature, '/src/main.ts', 'two\n')).id).toBe(id);
    const moved = await inProject<File>(feature, 'POST', `/files/${id}/move`, { json: { path: '/lib/main.ts' } });
    expect(moved.body).toMatchObject({ id, path: '/lib/main.ts', branch: 'feature' });
    expect(await listPaths(feature)).toEqual(['/README.md', '/lib', '/lib/main.ts']);
    expect(await idAt(main, '/src/main.ts')).toBe(id);
    expect((await inProject(feature, 'GET', `/files/${id}/content`)).text).toBe('two\n');
    expect((await inProject(main, 'GET', `/files/${id}/content`)).text).toBe('one\n');
  });

  test('never refers to another file after main moved its own file', async () => {
    const { main, feature } = await furnished();
    const [readme, code] = [await idAt(main, '/README.md'), await idAt(main, '/src/main.ts')];
    expect((await inProject(main, 'DELETE', `/files/${readme}`)).status).toBe(204);
    expect((await inProject(main, 'POST', `/files/${code}/move`, { json: { path: '/README.md' } })).status).toBe(200);
    const answer = await inProject(feature, 'GET', `/files/${code}/content`);
    expect([200, 404]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toBe('one\n');
    const ids = (await listFiles(feature)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, path, type } of await listFiles(feature)) {
      if (type === 'directory') continue;
      const content = await inProject(feature, 'GET', `/files/${id}/content`);
      expect([path, content.status, content.text]).toEqual([path, 200, path === '/README.md' ? '# Title\n' : 'one\n']);
    }
  });

  test('stays the same for a moved directory and everything in it', async () => {
    const { main, feature } = await furnished();
    await writeFile(feature, '/src/deep/er.ts');
    const ids = new Map((await listFiles(feature)).map(({ path, id }) => [path, id]));
    const answer = await inProject(feature, 'POST', `/files/${ids.get('/src')}/move`, { json: { path: '/lib' } });
    expect(answer.body, answer.text).toMatchObject({ id: ids.get('/src'), path: '/lib', type: 'directory' });
    const moved = new Map((await listFiles(feature)).map(({ path, id }) => [path, id]));
    for (const path of ['', '/deep', '/deep/er.ts', '/main.ts'])
      expect(moved.get(`/lib${path}`)).toBe(ids.get(`/src${path}`));
    expect((await inProject(feature, 'DELETE', `/files/${ids.get('/src')}`)).status).toBe(204);
    expect(await listPaths(feature)).toEqual(['/README.md']);
    expect(await listPaths(main)).toEqual(['/README.md', '/src', '/src/main.ts']);
  });
});

describe('a branch that receives pushes', () => {
  test('is shown, searched and written by REST, and the next push must be on top of these writes', async () => {
    const { main, feature } = await furnished();
    const copy = await clone(main.projectId, main.user);
    await copy.git('switch', '--quiet', 'feature');
    await copy.commit('Add', { 'src/new.ts': 'needle\n', LICENSE: Buffer.from([0, 1, 2]).toString('binary') });
    await copy.git('push', '--quiet', 'origin', 'feature');
    expect(await listPaths(feature)).toEqual(['/LICENSE', '/README.md', '/src', '/src/main.ts', '/src/new.ts']);
    const found = await inProject<SearchResults>(feature, 'GET', '/search?q=needle');
    expect(found.body.data).toEqual([expect.objectContaining({ path: '/src/new.ts', line: 1 })]);
    expect((await inProject<SearchResults>(main, 'GET', '/search?q=needle')).body.data).toEqual([]);
    const license = (await listFiles(feature)).find(({ path }) => path === '/LICENSE');
    expect(license?.mime_type).toBe('application/octet-stream');
    const { commit_sha } = await writeFile(feature, '/src/new.ts', 'changed\n');
    await copy.git('pull', '--quiet');
    expect((await copy.git('rev-parse', 'HEAD')).trim()).toBe(commit_sha);
    expect(await copy.git('show', 'HEAD:src/new.ts')).toBe('changed');
    await copy.git('mv', 'src/new.ts', 'moved.ts');
    const id = await idAt(feature, '/src/new.ts');
    await copy.commit('Move');
    await copy.git('push', '--quiet', 'origin', 'feature');
    expect(await idAt(feature, '/moved.ts')).toBe(id);
    await copy.git('fsck', '--strict', '--full');
  });

  test('reports each push in one event, with its commits and counts', async () => {
    const { main } = await furnished();
    const copy = await clone(main.projectId, main.user);
    await copy.git('switch', '--quiet', '--create', 'pushed');
    const first = await copy.commit('First line\n\nand more', { a: '1' });
    const second = await copy.commit('Second', { a: '2', b: '1' });
    await copy.git('push', '--quiet', 'origin', 'pushed');
    const third = await copy.commit('Third', { b: '2' });
    await copy.git('rm', '--quiet', 'a');
    const fourth = await copy.commit('Fourth');
    await copy.git('push', '--quiet', 'origin', 'pushed');
    await copy.git('push', '--quiet', 'origin', ':pushed');
    const pushes = (await eventsOf(main)).filter(({ type }) => type === 'repository.pushed').map(({ data }) => data);
    // The first one is about the branch that the sample project has.
    expect(pushes.shift()).toMatchObject({ ref: 'refs/heads/feature', before: null });
    expect(pushes).toHaveLength(3);
    expect(pushes[0]).toMatchObject({ ref: 'refs/heads/pushed', branch: 'pushed', before: null, after: second });
    const shaOf = (data: Record<string, unknown> | undefined) =>
      ((data?.commits ?? []) as Commit[]).map(({ sha, message }) => [sha, message]);
    expect(shaOf(pushes[0]).slice(0, 2)).toEqual([
      [second, 'Second'],
      [first, 'First line'],
    ]);
    expect(pushes[1]).toMatchObject({ before: second, after: fourth, commits_count: 2 });
    expect(pushes[1]).toMatchObject({ files_count: { added: 0, modified: 1, removed: 1 } });
    expect(shaOf(pushes[1]).map(([sha]) => sha)).toEqual([fourth, third]);
    expect(pushes[2]).toMatchObject({ before: fourth, after: null, commits: [], commits_count: 0 });
  });
});

describe('many branches', () => {
  let main: Place;
  beforeAll(async () => {
    main = await newPlace(service);
    const changes = Array.from({ length: 300 }, (_, n) => ({ action: 'create', path: `/d/${n}`, content: `${n}` }));
    await commit(main, changes);
  });

  test('need rows only for paths that were written on them', async () => {
    for (let n = 0; n < 20; n++) {
      const branch = { ...main, branch: `b${n}` };
      await putFile(branch, { path: `/d/${n}`, content: 'changed', create_branch_from: 'main' });
      expect(await listPaths(branch)).toHaveLength(301);
    }
    const rows = await service.db
      .selectFrom('branch_entries')
      .select(['ref', 'path'])
      .where('project_id', '=', main.projectId)
      .execute();
    // The file, its directory and the root.
    expect(rows).toHaveLength(60);
  });

  test('accept parallel writes, and keep the order on each branch', async () => {
    const branches = Array.from({ length: 5 }, (_, n) => ({ ...main, branch: `b${n}` }));
    await Promise.all(
      branches.flatMap((branch) =>
        Array.from({ length: 10 }, (_, n) => writeFile(branch, `/new/new-${n}`, branch.branch)),
      ),
    );
    for (const branch of branches) {
      expect((await history(branch)).data.filter(({ message }) => /^Write new-\d$/.test(message))).toHaveLength(10);
      expect(await contentAt(branch, '/new/new-7')).toBe(branch.branch);
    }
  });
});

test('a branch without files can be filled and emptied again', async () => {
  const place = await newBranchPlace(service);
  const { id } = await writeFile(place, '/a/b/c');
  expect(await listPaths(place)).toEqual(['/a', '/a/b', '/a/b/c']);
  expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
  expect(await listPaths(place)).toEqual([]);
});
