import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Clone, useGitClient } from './git-client.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
let [editor, viewer] = [{} as TestUser, {} as TestUser];
let place: Place & { user: TestUser };
let clone: Clone;

beforeAll(async () => {
  [editor, viewer] = [await service.createUser(), await service.createUser()];
});

beforeEach(async () => {
  place = await newPlace(service);
  await addCollaborator(service, place.projectId, editor, { role: 'editor' });
  await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
  await writeFile(place, '/README.md');
  clone = await client.clone(place.projectId, place.user);
});

const check = (sha: string, from = clone) => from.tryGit('push', 'origin', `${sha}:refs/checks/${sha}`);

const kept = async (): Promise<string[]> => {
  const names = service.db.selectFrom('git_refs').select('name').where('project_id', '=', place.projectId);
  return (await names.orderBy('name').execute()).map(({ name }) => name).filter((name) => name.includes('checks'));
};

describe('a push to refs/checks/ followed by the id of the commit', () => {
  test('stores the commit, moves no branch, and is neither listed, reported nor fetched', async () => {
    const main = await clone.git('rev-parse', 'HEAD');
    const sha = await clone.commit('Not yet', { 'a.txt': 'a\n' });
    expect(await check(sha)).toMatchObject({ ok: true });
    expect(await kept()).toEqual([`refs/checks/${place.user.id}/${sha}`]);
    expect((await inProject(place, 'GET', `/commits/${sha}`)).body).toMatchObject({ sha, message: 'Not yet' });
    const { body } = await inProject<{ data: { name: string; sha: string }[] }>(place, 'GET', '/branches');
    expect(body.data).toMatchObject([{ name: 'main', sha: main }]);
    expect(await clone.git('ls-remote', 'origin')).not.toContain('refs/checks');
    expect(await clone.git('-c', 'protocol.version=0', 'ls-remote', 'origin')).not.toContain('refs/checks');
    const told = service.db.selectFrom('events').select('data').where('type', '=', 'repository.pushed');
    expect(await told.where('project_id', '=', place.projectId).execute()).toEqual([]);
  });

  test('can be repeated, and two people can push the same commit', async () => {
    const sha = await clone.commit('Not yet', { 'a.txt': 'a\n' });
    await check(sha);
    expect(await check(sha)).toMatchObject({ ok: true });
    await clone.git('remote', 'set-url', 'origin', client.addressOf(place.projectId, editor.key));
    expect(await check(sha)).toMatchObject({ ok: true });
    expect(await kept()).toEqual([place.user.id, editor.id].sort().map((id) => `refs/checks/${id}/${sha}`));
  });

  test('is refused to people who may only read', async () => {
    const sha = await clone.commit('Not yet');
    await clone.git('remote', 'set-url', 'origin', client.addressOf(place.projectId, viewer.key));
    expect(await check(sha)).toMatchObject({ ok: false, stderr: expect.stringContaining('permission') });
  });

  test('is refused with another name, for a tag and for a deletion, while other references of the push are stored', async () => {
    const sha = await clone.commit('Not yet', { 'a.txt': 'a\n' });
    const other = await clone.tryGit('push', 'origin', 'HEAD:refs/checks/mine', 'HEAD:refs/heads/side');
    expect(other).toMatchObject({ ok: false, stderr: expect.stringContaining('their own id') });
    expect(await clone.git('ls-remote', 'origin', 'refs/heads/side')).toContain(sha);
    const foreign = `refs/checks/${editor.id}/${sha}`;
    expect(await clone.tryGit('push', 'origin', `HEAD:${foreign}`)).toMatchObject({ ok: false });
    await clone.git('tag', '-a', '-m', 'x', 'v1');
    const tag = await clone.git('rev-parse', 'v1');
    expect(await check(tag)).toMatchObject({ ok: false, stderr: expect.stringContaining('only commits') });
    await check(sha);
    expect(await clone.tryGit('push', 'origin', `:refs/checks/${sha}`)).toMatchObject({ ok: false });
    expect(await kept()).toHaveLength(1);
  });
});

test('the twenty newest commits to check are kept for each person, for a day or two at most', async () => {
  const shas: string[] = [];
  for (let count = 0; count < 21; count++) {
    shas.push(await clone.commit(`Attempt ${count}`));
    expect((await check(shas.at(-1) ?? '')).ok).toBe(true);
  }
  const expected = shas.slice(1).map((sha) => `refs/checks/${place.user.id}/${sha}`);
  expect(await kept()).toEqual(expected.sort());
  const { pool } = service;
  const key = `collect ${place.projectId}`;
  const age = (names: string[]) =>
    pool.query("update git_refs set updated_at = now() - interval '25 hours' where name = any($1)", [names]);
  const collect = async (left: number) => {
    const payload = JSON.stringify({ project_id: place.projectId });
    await pool.query("select graphile_worker.add_job('repositories:collect', $1, job_key => $2)", [payload, key]);
    await waitFor('the collection has run', async () => (await kept()).length === left);
    await waitFor('the next one is planned if it is needed', async () => {
      const { rows } = await pool.query('select run_at > now() as later from graphile_worker.jobs where key = $1', [
        key,
      ]);
      return left === 0 ? rows.length === 0 : rows[0]?.later;
    });
  };
  await age(expected.slice(3));
  await collect(3);
  await age(expected);
  await collect(0);
  const last = shas.at(-1);
  expect((await inProject(place, 'GET', `/commits/${last}`)).status).toBe(404);
});
