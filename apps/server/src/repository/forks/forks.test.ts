import type { Project } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, history, inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitClient } from '../smart-http/git-client.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_PROJECT_LIMIT_FREE: '2' } });
const client = useGitClient(service);

const fork = (place: Place, json: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  inProject<Project>(place, 'POST', '/fork', { json, headers });

/** A public project with two branches and a tag, and somebody who can only read it. */
async function published() {
  const owned = await newPlace(service, { name: 'Shop', description: 'Sells', settings: { public: true } });
  const clone = await client.clone(owned.projectId, owned.user);
  await clone.commit('First', { 'a.txt': 'one\n' });
  await clone.git('tag', '-a', 'v1', '-m', 'Version 1');
  await clone.git('push', '--quiet', 'origin', 'main', 'v1');
  await clone.git('checkout', '--quiet', '-b', 'other');
  await clone.commit('Second', { 'b.txt': 'two\n' });
  await clone.git('push', '--quiet', 'origin', 'other');
  return { owned, reader: { ...owned, user: await service.createUser() } };
}

describe('a fork', () => {
  test('is a separate private project with the branches, the tags and the history', async () => {
    const { owned, reader } = await published();
    const answer = await fork(reader);
    expect(answer.status, answer.text).toBe(201);
    const { name, description, settings, forked_from, owner, id } = answer.body;
    expect({ name, description, forked_from }).toEqual({
      ...{ name: 'Shop', description: 'Sells', forked_from: owned.projectId },
    });
    expect(settings).toMatchObject({ public: false, auto_deploy: false, auto_preview: false });
    expect(owner.id).toBe(reader.user.id);
    const own = { ...reader, projectId: id };
    expect(await contentAt(own, '/a.txt')).toBe('one\n');
    const [there, here] = [await history(owned), await history(own)];
    expect(here.data.map(({ sha }) => sha)).toEqual(there.data.map(({ sha }) => sha));
    const clone = await client.clone(id, reader.user);
    expect(await clone.git('show', 'origin/other:b.txt')).toBe('two');
    expect(await clone.git('cat-file', '-t', 'v1')).toBe('tag');
    await clone.git('fsck', '--strict');
  });

  test('is independent: neither project follows the other', async () => {
    const { owned, reader } = await published();
    const own = { ...reader, projectId: (await fork(reader, { name: 'Mine' })).body.id };
    await writeFile(own, '/mine.txt');
    await writeFile(owned, '/theirs.txt');
    expect((await inProject(owned, 'GET', '/files?path=/mine.txt')).status).not.toBe(200);
    const { body } = await inProject<{ data: { path: string }[] }>(own, 'GET', '/files?recursive=true&type=file');
    expect(body.data.map(({ path }) => path).sort()).toEqual(['/a.txt', '/mine.txt']);
  });

  test('of an empty project is empty', async () => {
    const owned = await newPlace(service);
    const answer = await fork(owned);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.forked_from).toBe(owned.projectId);
  });

  test('remains when its origin is purged, and then has no origin', async () => {
    const { owned, reader } = await published();
    const { id } = (await fork(reader)).body;
    await onProject(service, owned.user, owned.projectId, ['DELETE']);
    const purged = await onProject(service, owned.user, `${owned.projectId}/purge`, ['POST', { name: 'Shop' }]);
    expect(purged.status).toBe(202);
    const origin = async () => (await onProject<Project>(service, reader.user, id, ['GET'])).body.forked_from;
    await waitFor('the origin is purged', async () => (await origin()) === null);
    expect(await contentAt({ ...reader, projectId: id }, '/a.txt')).toBe('one\n');
  });

  test('can be made by members who can only read, but not by somebody who cannot see the project', async () => {
    const owned = await newPlace(service);
    await writeFile(owned, '/a.txt');
    const viewer = await service.createUser();
    await addCollaborator(service, owned.projectId, viewer, { role: 'viewer' });
    expect((await fork({ ...owned, user: viewer })).status).toBe(201);
    expectError(await fork({ ...owned, user: await service.createUser() }), { status: 404, code: 'NOT_FOUND' });
  });

  test('is made once for a repeated request', async () => {
    const { reader } = await published();
    const key = { 'idempotency-key': 'once' };
    const [one, other] = [await fork(reader, {}, key), await fork(reader, {}, key)];
    expect(other.body.id).toBe(one.body.id);
    const listed = await call<{ data: unknown[] }>('GET', `${service.url}/v1/projects`, { token: reader.user.key });
    expect(listed.body.data).toHaveLength(1);
  });

  test('is refused as a whole beyond the limits of the plan', async () => {
    const { reader } = await published();
    for (const status of [201, 201, 403]) expect((await fork(reader)).status).toBe(status);
    const { rows } = await service.pool.query('select id from projects where owner_id = $1', [reader.user.id]);
    expect(rows).toHaveLength(2);
  });
});
