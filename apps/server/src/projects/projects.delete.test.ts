import type { Project } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import {
  addCollaborator,
  createProject,
  listProjects,
  onProject,
  readProject,
} from '../testing/samples/sample-projects.ts';
import { startTestService, type TestUser, useTestService } from '../testing/service/test-service.ts';
import { purge } from './projects.jobs.ts';

const service = useTestService();

const restore = (user: TestUser, id: string) =>
  call<Project>('POST', `${service.url}/v1/projects/${id}/restore`, { token: user.key });

async function purgeJobs(projectId: string): Promise<{ run_at: Date }[]> {
  const { rows } = await service.pool.query(
    `select run_at from graphile_worker._private_jobs jobs
     join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where tasks.identifier = 'projects:purge' and jobs.payload->>'project_id' = $1`,
    [projectId],
  );
  return rows;
}

const rowOf = (id: string) => service.db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();

async function deletedProject() {
  const user = await service.createUser();
  const project = await createProject(service, user, { name: 'Gone', description: 'kept' });
  const answer = await onProject<{ deleted_at: string; message: string }>(service, user, project.id, ['DELETE']);
  expect(answer.status).toBe(200);
  return { user, project, answer };
}

describe('DELETE', () => {
  test('answers with a message and the time of deletion, and keeps the row with that time', async () => {
    const { project, answer } = await deletedProject();
    expect(answer.body).toEqual({
      message: expect.stringContaining('30 days'),
      deleted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await rowOf(project.id))?.deleted_at?.toISOString()).toBe(answer.body.deleted_at);
  });

  test('hides the project at once from every route', async () => {
    const { user, project } = await deletedProject();
    const requests: [string, unknown?][] = [
      ['GET'],
      ['PUT', { name: 'x' }],
      ['PATCH', { name: 'x' }],
      ['PATCH', { status: 'active' }],
      ['DELETE'],
    ];
    for (const request of requests) {
      expectError(await onProject(service, user, project.id, request), { status: 404, code: 'NOT_FOUND' });
    }
    expect((await listProjects(service, user)).pagination.total).toBe(0);
    expect((await listProjects(service, user, '?search=gone')).data).toEqual([]);
  });

  test('enqueues the purge for the end of the restore time', async () => {
    const { project, answer } = await deletedProject();
    const jobs = await purgeJobs(project.id);
    expect(jobs).toHaveLength(1);
    const days = ((jobs[0]?.run_at.getTime() ?? 0) - Date.parse(answer.body.deleted_at)) / 86_400_000;
    // A day in the session's time zone may be an hour shorter or longer.
    expect(days).toBeCloseTo(30, 0);
  });

  test('succeeds once if sent twice at the same time', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    const answers = await Promise.all([1, 2].map(() => onProject(service, user, id, ['DELETE'])));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
    expect(await purgeJobs(id)).toHaveLength(1);
  });

  test('hides a public project from strangers too', async () => {
    const [owner, stranger] = [await service.createUser(), await service.createUser()];
    const { id } = await createProject(service, owner, { settings: { public: true } });
    await onProject(service, owner, id, ['DELETE']);
    expectError(await onProject(service, stranger, id, ['GET']), { status: 404, code: 'NOT_FOUND' });
    expectError(await restore(stranger, id), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('restore', () => {
  test('answers 200 with the project as it was, and cancels the purge', async () => {
    const { user, project } = await deletedProject();
    const answer = await restore(user, project.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(project);
    expect(await purgeJobs(project.id)).toEqual([]);
    expect(await readProject(service, user, project.id)).toEqual({ ...project, collaborators: [], live_url: null });
    expect((await listProjects(service, user, '?search=kept')).pagination.total).toBe(1);
    expect((await rowOf(project.id))?.deleted_at).toBeNull();
  });

  test('needs no body and accepts an empty one of any declared length', async () => {
    const { user, project } = await deletedProject();
    const answer = await call('POST', `${service.url}/v1/projects/${project.id}/restore`, {
      token: user.key,
      body: '',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });

  test('is a 409 if the project is not deleted', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    expectError(await restore(user, id), { status: 409, code: 'CONFLICT' });
  });

  test('succeeds once if sent twice at the same time', async () => {
    const { user, project } = await deletedProject();
    const answers = await Promise.all([1, 2, 3].map(() => restore(user, project.id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect((await listProjects(service, user)).pagination.total).toBe(1);
  });

  test.each(['prj_00000000000000000000000000', 'nonsense', '%00'])('with the id %s is a 404', async (id) => {
    expectError(await restore(await service.createUser(), id), { status: 404, code: 'NOT_FOUND' });
  });

  test('brings the project back into the lists of its collaborators', async () => {
    const [owner, member] = [await service.createUser(), await service.createUser()];
    const { id } = await createProject(service, owner);
    await addCollaborator(service, id, member, { role: 'editor' });
    await onProject(service, owner, id, ['DELETE']);
    expectError(await onProject(service, member, id, ['GET']), { status: 404, code: 'NOT_FOUND' });
    await restore(owner, id);
    expect((await listProjects(service, member)).data.map((project) => project.id)).toEqual([id]);
  });
});

describe('purge', () => {
  test('removes a deleted project and everything that belongs to it', async () => {
    const { user, project } = await deletedProject();
    await addCollaborator(service, project.id, await service.createUser());
    await purge(service.db, { project_id: project.id }, []);
    expect(await rowOf(project.id)).toBeUndefined();
    for (const table of ['project_stats', 'collaborators', 'project_listing'] as const) {
      const rows = await service.db
        .selectFrom(table)
        .select('project_id')
        .where('project_id', '=', project.id)
        .execute();
      expect(rows, table).toEqual([]);
    }
    expectError(await restore(user, project.id), { status: 404, code: 'NOT_FOUND' });
  });

  test('keeps a project that was restored in time', async () => {
    const { user, project } = await deletedProject();
    await restore(user, project.id);
    await purge(service.db, { project_id: project.id }, []);
    expect((await readProject(service, user, project.id)).id).toBe(project.id);
  });

  test('starts by itself when the restore time is over', async () => {
    const { running, close } = await startTestService({ settings: { BOTTEGA_RESTORE_DAYS: '0' } });
    try {
      const user = await running.createUser();
      const { id } = await createProject(running, user);
      const { body } = await onProject<{ message: string }>(running, user, id, ['DELETE']);
      expect(body.message).toContain('0 days');
      await waitFor('the project is purged', async () => {
        const rows = await running.db.selectFrom('projects').select('id').where('id', '=', id).execute();
        return rows.length === 0;
      });
    } finally {
      await close();
    }
  });
});
