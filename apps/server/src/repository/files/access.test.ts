import type { File, Scope } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  commit,
  history,
  inProject,
  listPaths,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let place: Place & { user: TestUser };
let file: File;
beforeAll(async () => {
  place = await newPlace(service);
  file = await writeFile(place, '/a.txt', 'one');
  await inProject(place, 'POST', '/branches', { json: { name: 'other' } });
});

type Request = [method: string, path: string, json?: unknown];
const reads = (): Request[] => [
  ['GET', '/files'],
  ['GET', '/files?ref=main'],
  ['GET', `/files/${file.id}/content`],
  ['GET', `/files/${file.id}/content?ref=main`],
  ['GET', '/commits'],
  ['GET', '/commits/main'],
  ['GET', '/branches'],
  ['GET', '/search?q=one'],
];
const writes = (): Request[] => [
  ['PUT', '/files', { path: '/new', content: 'x' }],
  ['DELETE', `/files/${file.id}`],
  ['POST', `/files/${file.id}/move`, { path: '/b.txt' }],
  ['POST', `/files/${file.id}/share`, {}],
  ['POST', '/commits', { changes: [{ action: 'create', path: '/c', content: '' }] }],
  ['POST', '/branches', { name: 'new' }],
  ['DELETE', '/branches/other'],
];
const ask = (user: Pick<TestUser, 'key'>, [method, path, json]: Request) =>
  inProject({ ...place, user }, method, path, json === undefined ? {} : { json });

/** /commits/main is a 404 for readers too. It only must not be a 403. */
const readable = (status: number, [, path]: Request) => expect(status).toBe(path === '/commits/main' ? 404 : 200);

describe('the files of a project', () => {
  test('are a 404 for a stranger and for somebody who has not accepted an invitation yet', async () => {
    const [stranger, invited] = [await service.createUser(), await service.createUser()];
    await addCollaborator(service, place.projectId, invited, { role: 'admin', status: 'pending' });
    for (const request of [...reads(), ...writes()]) {
      expectError(await ask(stranger, request), { status: 404, code: 'NOT_FOUND' });
      expectError(await ask(invited, request), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test('can be read but not written by a viewer', async () => {
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer);
    for (const request of reads()) readable((await ask(viewer, request)).status, request);
    for (const request of writes()) {
      expectError(await ask(viewer, request), { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
  });

  test('can be written by an editor, who is the author of the commit', async () => {
    const editor = await service.createUser({ name: 'Ada Lovelace' });
    await addCollaborator(service, place.projectId, editor, { role: 'editor' });
    await writeFile({ ...place, user: editor }, '/by-ada.txt');
    expect((await history(place)).data[0]?.author).toEqual({ name: 'Ada Lovelace', email: editor.email });
  });

  test('can be read but not written by every user if the project is public', async () => {
    const other = await newPlace(service, { settings: { public: true } });
    await writeFile(other, '/public.txt');
    const stranger = { ...other, user: await service.createUser() };
    expect(await listPaths(stranger)).toEqual(['/public.txt']);
    const answer = await putFile(stranger, { path: '/x', content: '' });
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test.each<[Scope, reads: boolean, writes: boolean]>([
    ['read:files', true, false],
    ['write:files', true, true],
    ['write:projects', false, false],
  ])('with the scope %s: readable is %s, writable is %s', async (scope, mayRead, mayWrite) => {
    const user = await service.createKey(place.user.id, { scopes: [scope] });
    for (const request of reads()) {
      const { status } = await ask(user, request);
      if (mayRead) readable(status, request);
      else expect(status).toBe(403);
    }
    const put = await ask(user, ['PUT', '/files', { path: '/scoped', content: scope }]);
    expect(put.status < 300).toBe(mayWrite);
    if (!mayWrite) for (const request of writes()) expect((await ask(user, request)).status).toBe(403);
  });

  test('are read-only while the project is archived', async () => {
    await onProject(service, place.user, place.projectId, ['PATCH', { status: 'archived' }]);
    for (const request of reads()) readable((await ask(place.user, request)).status, request);
    for (const request of writes()) expectError(await ask(place.user, request), { status: 409, code: 'CONFLICT' });
    await onProject(service, place.user, place.projectId, ['PATCH', { status: 'active' }]);
    expect((await ask(place.user, ['PUT', '/files', { path: '/again', content: '' }])).status).toBe(201);
  });

  test('are a 404 after the project is deleted', async () => {
    const other = await newPlace(service);
    const { id } = await writeFile(other, '/x');
    await onProject(service, other.user, other.projectId, ['DELETE']);
    expectError(await inProject(other, 'GET', `/files/${id}/content`), { status: 404, code: 'NOT_FOUND' });
    expectError(await putFile(other, { path: '/x', content: '' }), { status: 404, code: 'NOT_FOUND' });
  });
});

test('purging a project deletes all of its objects, commits, references, files and directories', async () => {
  const other = await newPlace(service);
  await writeFile(other, '/a/b');
  await service.pool.query('delete from projects where id = $1', [other.projectId]);
  for (const table of ['git_objects', 'git_commits', 'git_refs', 'files', 'directories']) {
    const { rows } = await service.pool.query(`select from ${table} where project_id = $1`, [other.projectId]);
    expect(rows, table).toEqual([]);
  }
});

describe('without version control', () => {
  const off = { settings: { version_control: false } };

  test('files work the same, but there are no commits and no branches', async () => {
    const other = await newPlace(service, off);
    const written = await writeFile(other, '/dir/a.txt', '1');
    expect(written.commit_sha).toBeNull();
    expect((await writeFile(other, '/dir/a.txt', '2')).commit_sha).toBeNull();
    expect((await writeFile(other, '/dir/a.txt', '2')).commit_sha).toBeNull();
    const moved = await inProject(other, 'POST', `/files/${written.id}/move`, { json: { path: '/b/a.txt' } });
    expect(moved.body).toMatchObject({ id: written.id, commit_sha: null });
    expect(await listPaths(other)).toEqual(['/b', '/b/a.txt']);
    expect((await history(other)).data).toEqual([]);
    expect((await inProject(other, 'GET', '/branches')).body).toEqual({ data: [] });
    expectError(await commit(other, [{ action: 'create', path: '/x', content: '' }]), {
      status: 409,
      code: 'CONFLICT',
    });
    expectError(await inProject(other, 'POST', '/branches', { json: { name: 'x' } }), {
      status: 409,
      code: 'CONFLICT',
    });
    const { rows } = await service.pool.query('select from git_commits where project_id = $1', [other.projectId]);
    expect(rows).toEqual([]);
    await inProject(other, 'DELETE', `/files/${written.id}`);
    expect(await listPaths(other)).toEqual([]);
  });

  test('the list of commits is empty after switching it off, even if the project had a history', async () => {
    const other = await newPlace(service);
    await writeFile(other, '/a', '1');
    await onProject(service, other.user, other.projectId, ['PATCH', off]);
    expect((await history(other)).data).toEqual([]);
    expect((await writeFile(other, '/a', '1')).commit_sha).toBeNull();
    expect((await writeFile(other, '/a', '2')).commit_sha).toBeNull();
  });

  test('switching it on commits the present files on top of the former history', async () => {
    const on = { settings: { version_control: true } };
    const other = await newPlace(service);
    const before = await writeFile(other, '/kept', '1');
    await onProject(service, other.user, other.projectId, ['PATCH', off]);
    await writeFile(other, '/meanwhile', '2');
    await onProject(service, other.user, other.projectId, ['PATCH', on]);
    const { data } = await history(other);
    expect(data.map(({ message }) => message)).toEqual(['Start version control', 'Write kept']);
    expect(data[0]?.parents).toEqual([before.commit_sha]);
    expect(await listPaths(other, '?ref=main')).toEqual(['/kept', '/meanwhile']);
  });

  test('switching it off and on without a change in between makes no commit', async () => {
    const other = await newPlace(service);
    await writeFile(other, '/a', '1');
    await onProject(service, other.user, other.projectId, ['PATCH', off]);
    await onProject(service, other.user, other.projectId, ['PATCH', { settings: { version_control: true } }]);
    expect((await history(other)).data).toHaveLength(1);
    const empty = await newPlace(service, off);
    await onProject(service, empty.user, empty.projectId, ['PATCH', { settings: { version_control: true } }]);
    expect((await history(empty)).data).toEqual([]);
  });
});
