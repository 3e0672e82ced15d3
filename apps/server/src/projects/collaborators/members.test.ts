import { beforeEach, describe, expect, test } from 'vitest';
import { conflicting, expectError, missing } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { ask, invite, join, listCollaborators } from '../../testing/samples/sample-collaborators.ts';
import { writeFile } from '../../testing/samples/sample-files.ts';
import { createProject, listProjects, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

let owner: TestUser;
let ada: TestUser;
let projectId: string;
let collaborators: string;
beforeEach(async () => {
  owner = await service.createUser({ name: 'Owner' });
  ada = await service.createUser({ name: 'Ada' });
  projectId = (await createProject(service, owner)).id;
  collaborators = `/projects/${projectId}/collaborators`;
});

const project = () => ({ owner, projectId });
const stored = () =>
  service.db.selectFrom('collaborators').selectAll().where('project_id', '=', projectId).orderBy('id').execute();
const count = async () => (await listProjects(service, owner)).data.find(({ id }) => id === projectId)?.stats;

describe('leaving and removing', () => {
  test('anyone can leave by deleting their own row, which then disappears from lists, counts and the project', async () => {
    const { id } = await join(service, project(), ada);
    expect((await listProjects(service, ada)).pagination.total).toBe(1);
    expect(await count()).toMatchObject({ collaborators_count: 1 });
    expect((await ask(service, ada, ['DELETE', `${collaborators}/${id}`])).status).toBe(204);
    const listed = await listProjects(service, ada);
    expect([listed.data, listed.pagination.total]).toEqual([[], 0]);
    expect(await count()).toMatchObject({ collaborators_count: 0 });
    expectError(await onProject(service, ada, projectId, ['GET']), missing);
    expect(await stored()).toEqual([]);
  });

  test('a removed collaborator loses access by REST and git with the next request', async () => {
    await writeFile({ service, user: owner, projectId }, '/a.txt');
    const { id } = await join(service, project(), ada, { role: 'editor' });
    const git = () =>
      call('GET', `${service.url}/git/${projectId}.git/info/refs?service=git-upload-pack`, {
        headers: { authorization: `Basic ${btoa(`any:${ada.key}`)}` },
      });
    expect((await git()).status).toBe(200);
    expect((await ask(service, ada, ['GET', `/projects/${projectId}/files`])).status).toBe(200);
    expect((await ask(service, owner, ['DELETE', `${collaborators}/${id}`])).status).toBe(204);
    expect((await git()).status).toBe(404);
    expectError(await ask(service, ada, ['GET', `/projects/${projectId}/files`]), missing);
  });

  test('a removed collaborator may be invited again', async () => {
    const { id } = await join(service, project(), ada);
    await ask(service, owner, ['DELETE', `${collaborators}/${id}`]);
    await join(service, project(), ada, { role: 'editor' });
    expect(await count()).toMatchObject({ collaborators_count: 1 });
    expect((await listProjects(service, ada)).pagination.total).toBe(1);
  });
});

describe('an archived project', () => {
  test('keeps its collaborators and invitations as they are', async () => {
    const member = await join(service, project(), ada);
    const invited = await service.createUser();
    const { id } = await invite(service, owner, projectId, { email: invited.email });
    await onProject(service, owner, projectId, ['PATCH', { status: 'archived' }]);
    for (const [user, ...request] of [
      [owner, 'POST', collaborators, { email: 'x@example.com' }],
      [owner, 'PATCH', `${collaborators}/${member.id}`, { role: 'admin' }],
      [owner, 'DELETE', `${collaborators}/${member.id}`],
      [ada, 'DELETE', `${collaborators}/${member.id}`],
      [owner, 'POST', `${collaborators}/${id}/resend`],
      [invited, 'POST', `${collaborators}/${id}/accept`],
      [invited, 'POST', `${collaborators}/${id}/decline`],
      [owner, 'POST', `/projects/${projectId}/transfer`, { email: ada.email }],
    ] as [TestUser, string, string, unknown?][]) {
      expectError(await ask(service, user, request), conflicting);
    }
    expect(await listCollaborators(service, ada, projectId)).toMatchObject([{ id: member.id, role: 'viewer' }]);
    expect(await stored()).toHaveLength(2);
  });
});

describe('deleting an account', () => {
  const counted = async () =>
    service.db
      .selectFrom('project_stats')
      .select('collaborators_count')
      .where('project_id', '=', projectId)
      .executeTakeFirst();

  test('deletes its rows as a collaborator, and updates the counts', async () => {
    await join(service, project(), ada);
    const other = await service.createUser();
    await join(service, project(), other);
    expect(await counted()).toEqual({ collaborators_count: 2 });
    await service.db.deleteFrom('users').where('id', '=', ada.id).execute();
    expect(await counted()).toEqual({ collaborators_count: 1 });
    const listed = await service.db
      .selectFrom('project_listing')
      .select('user_id')
      .where('project_id', '=', projectId)
      .execute();
    expect(listed.map(({ user_id }) => user_id).sort()).toEqual([owner.id, other.id].sort());
    expect((await listCollaborators(service, other, projectId)).map(({ user }) => user.id)).toEqual([other.id]);
  });

  test('keeps invitations that it sent, without the name of the inviter, and deletes everything in its own projects', async () => {
    await join(service, project(), ada, { role: 'admin' });
    const invited = await service.createUser();
    const { id } = await invite(service, ada, projectId, { email: invited.email });
    await service.db.deleteFrom('users').where('id', '=', ada.id).execute();
    const list = await ask<{ data: unknown[] }>(service, invited, ['GET', '/user/invitations']);
    expect(list.body.data).toMatchObject([{ id, inviter: null }]);
    expect((await ask(service, invited, ['POST', `${collaborators}/${id}/accept`])).status).toBe(200);
    await service.db.deleteFrom('users').where('id', '=', owner.id).execute();
    expect(await stored()).toEqual([]);
    expect((await listProjects(service, invited)).pagination.total).toBe(0);
  });
});
