import { describe, expect, test } from 'vitest';
import { purge } from '../../projects/projects.jobs.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { cleanAll } from './maintenance.ts';

const service = useTestService({ settings: { BOTTEGA_EVENT_DAYS: '10', BOTTEGA_RESTORE_DAYS: '7' } });
const projectsUrl = () => `${service.url}/v1/projects`;

async function deletedProject(): Promise<{ user: TestUser; id: string }> {
  const user = await service.createUser();
  const { body } = await call('POST', projectsUrl(), { token: user.key, json: { name: 'Doomed' } });
  const id = String(body.id);
  await call('DELETE', `${projectsUrl()}/${id}`, { token: user.key });
  return { user, id };
}

const purgeJobs = async (id: string) =>
  (await service.pool.query('select key, run_at from graphile_worker.jobs where key = $1', [`purge ${id}`])).rows;
const runNow = (id: string) =>
  service.pool.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [`purge ${id}`]);
const rowsOf = async (table: string, column: string, id: string) =>
  (await service.pool.query(`select * from ${table} where ${column} = $1`, [id])).rows.length;
const addJob = (task: string, payload: object) =>
  service.pool.query('select graphile_worker.add_job($1, $2, job_key => $1)', [task, JSON.stringify(payload)]);
const finished = (task: string) =>
  waitFor(`${task} has run`, async () => {
    const { rows } = await service.pool.query('select 1 from graphile_worker.jobs where key = $1', [task]);
    return rows.length === 0;
  });

describe('the purge of a deleted project', () => {
  test('is due once the days for restoring are over', async () => {
    const { id } = await deletedProject();
    const jobs = await purgeJobs(id);
    expect(jobs).toHaveLength(1);
    expect(Math.abs(jobs[0].run_at.getTime() - Date.now() - 7 * 86_400_000)).toBeLessThan(10_000);
    expect(await rowsOf('projects', 'id', id)).toBe(1);
  });

  test('runs when it is due, and deletes everything of the project except its events', async () => {
    const { user, id } = await deletedProject();
    await runNow(id);
    await waitFor('the project is gone', async () => (await rowsOf('projects', 'id', id)) === 0);
    expect(await rowsOf('project_stats', 'project_id', id)).toBe(0);
    expect(await rowsOf('project_listing', 'project_id', id)).toBe(0);
    expect(await rowsOf('events', 'project_id', id)).toBe(2);
    const restored = await call('POST', `${projectsUrl()}/${id}/restore`, { token: user.key });
    expect(restored.status).toBe(404);
  });

  test('cannot be stopped once it has begun, since a restored project would miss what is already deleted', async () => {
    const { user, id } = await deletedProject();
    const emptied: string[] = [];
    const whileEmptying = async () => {
      const restored = await call('POST', `${projectsUrl()}/${id}/restore`, { token: user.key });
      emptied.push(String(restored.status));
    };
    await purge(service.db, { project_id: id }, [whileEmptying]);
    expect(emptied).toEqual(['404']);
    expect(await rowsOf('projects', 'id', id)).toBe(0);
  });

  test('is called off by a restore, and scheduled again by the next deletion', async () => {
    const { user, id } = await deletedProject();
    expect((await call('POST', `${projectsUrl()}/${id}/restore`, { token: user.key })).status).toBe(200);
    expect(await purgeJobs(id)).toEqual([]);
    await call('DELETE', `${projectsUrl()}/${id}`, { token: user.key });
    expect(await purgeJobs(id)).toHaveLength(1);
  });

  test('does not touch a project that was restored, even if it was already under way', async () => {
    const { user, id } = await deletedProject();
    await call('POST', `${projectsUrl()}/${id}/restore`, { token: user.key });
    await addJob('projects:purge', { project_id: id });
    await finished('projects:purge');
    expect((await call('GET', `${projectsUrl()}/${id}`, { token: user.key })).status).toBe(200);
  });

  test('does not fail if the project is already gone', async () => {
    await addJob('projects:purge', { project_id: 'prj_00000000000000000000000000' });
    await finished('projects:purge');
  });
});

describe('cleaning', () => {
  test('is known to the scheduler', async () => {
    const { rows } = await service.pool.query('select identifier from graphile_worker._private_known_crontabs');
    expect(rows).toEqual(
      expect.arrayContaining([{ identifier: 'maintenance:clean' }, { identifier: 'domains:check' }]),
    );
  });

  test('deletes old answers, long-expired keys and old events, and nothing newer', async () => {
    const user = await service.createUser();
    const day = 86_400_000;
    const longExpired = await service.createKey(user.id, { expiresAt: new Date(Date.now() - 31 * day) });
    const expired = await service.createKey(user.id, { expiresAt: new Date(Date.now() - 29 * day) });
    for (const hours of [25, 23]) {
      await service.pool.query(
        `insert into idempotent_answers (claim, fingerprint, status, answer_encrypted, created_at)
         values ($1, '', 201, '', now() - make_interval(hours => $2))`,
        [Buffer.from([hours]), hours],
      );
    }
    for (const days of [11, 9]) {
      await service.pool.query(
        `insert into events (id, type, account_id, data, created_at)
         values ($1, 'user.updated', $2, '{}', now() - make_interval(days => $3))`,
        [`evt_${'0'.repeat(24)}${String(days).padStart(2, '0')}`, user.id, days],
      );
    }
    await addJob('maintenance:clean', {});
    await finished('maintenance:clean');

    const answers = (await service.pool.query('select claim from idempotent_answers')).rows;
    expect(answers).toEqual([{ claim: Buffer.from([23]) }]);
    const keys = await service.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute();
    const ids = keys.map(({ id }) => id);
    expect(ids).not.toContain(longExpired.id);
    expect(ids).toContain(expired.id);
    expect(ids).toHaveLength(2);
    const events = (await service.pool.query("select id from events where id like 'evt_0000%'")).rows;
    expect(events).toEqual([{ id: `evt_${'0'.repeat(24)}09` }]);
  });

  test('deletes mails that were given up more than a week ago, and no other job', async () => {
    const jobs = [
      { task: 'mail:send', days: 8 },
      { task: 'mail:send', days: 6 },
      { task: 'projects:purge', days: 8 },
    ];
    for (const { task, days } of jobs) {
      const key = `${task} ${days}`;
      await service.pool.query(
        "select graphile_worker.add_job($1, '{}', run_at => now() + interval '1 hour', job_key => $2)",
        [task, key],
      );
      await service.pool.query(
        `update graphile_worker._private_jobs
         set attempts = max_attempts, run_at = now() - make_interval(days => $2) where key = $1`,
        [key, days],
      );
    }
    await addJob('maintenance:clean', {});
    await finished('maintenance:clean');
    const { rows } = await service.pool.query(
      "select key from graphile_worker._private_jobs where key ~ ' (6|8)$' order by key",
    );
    expect(rows).toEqual([{ key: 'mail:send 6' }, { key: 'projects:purge 8' }]);
  });

  test('continues after a part that fails, and then reports the failure', async () => {
    const ran: string[] = [];
    const broken = () => Promise.reject(new Error('broken'));
    const works = async () => void ran.push('works');
    await expect(cleanAll(service.db, [broken, works])).rejects.toThrow('1 failed; the others succeeded');
    expect(ran).toEqual(['works']);
  });
});
