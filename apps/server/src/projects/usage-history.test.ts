import type { InstallationUsageHistory, UsageHistory } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { forgetOldUsage, recordUsage } from '../identity/users/index.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { createProject, onProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { sumStoredByEach } from './projects.sql.ts';

const service = useTestService({ role: 'api' });

const record = () => recordUsage(service.db, { byEach: sumStoredByEach });
const historyOf = async (user: TestUser, days: number) =>
  (await call<UsageHistory>('GET', `${service.url}/v1/user/usage/history?days=${days}`, { token: user.key })).body.data;
const totals = async (days: number) => {
  const admin = await service.createUser({ isAdmin: true });
  const url = `${service.url}/v1/admin/usage/history?days=${days}`;
  return (await call<InstallationUsageHistory>('GET', url, { token: admin.key })).body.data;
};

/** Moves everything that was recorded so far this many days back. */
async function daysPass(days: number): Promise<void> {
  for (const table of ['usage_days', 'usage_totals']) {
    // In two steps: a row must not move to a day that another row still has.
    await service.pool.query(`update ${table} set day = day - 10000`);
    await service.pool.query(`update ${table} set day = day + 10000 - $1::int`, [days]);
  }
}
const addBuild = (user: TestUser, ms: number) =>
  service.pool.query(
    `insert into usage_days as u (user_id, day, deployments, build_ms) values ($1, (now() at time zone 'UTC')::date, 1, $2)
     on conflict (user_id, day) do update set deployments = u.deployments + 1, build_ms = u.build_ms + $2`,
    [user.id, ms],
  );
const store = (projectId: string, bytes: number) =>
  service.db.updateTable('project_stats').set({ stored_bytes: bytes }).where('project_id', '=', projectId).execute();

describe('the history of usage', () => {
  test('has every day up to today in UTC, null for values that were not counted, and current values for today', async () => {
    const user = await service.createUser();
    await store((await createProject(service, user)).id, 700);
    const days = await historyOf(user, 3);
    const dates = [2, 1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
    expect(days.map(({ date }) => date)).toEqual(dates);
    expect(days[1]).toEqual({
      date: dates[1],
      deployments: 0,
      build_seconds: 0,
      workspace_seconds: 0,
      projects: null,
      stored_bytes: null,
    });
    expect(days[2]).toMatchObject({ deployments: 0, projects: 1, stored_bytes: 700 });
  });

  test('keeps stored bytes until another count, and counts builds on their own day', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    await store(id, 100);
    await record();
    await addBuild(user, 1400);
    await daysPass(2);
    await addBuild(user, 800);
    await addBuild(user, 800);
    await record();
    await daysPass(1);
    await store(id, 300);
    await record();
    await record();
    const days = await historyOf(user, 5);
    expect(days.map(({ stored_bytes }) => stored_bytes)).toEqual([null, 100, 100, 100, 300]);
    expect(days.map(({ deployments }) => deployments)).toEqual([0, 1, 0, 2, 0]);
    expect(days.map(({ build_seconds }) => build_seconds)).toEqual([0, 1, 0, 2, 0]);
    const { rows } = await service.pool.query('select day from usage_days where user_id = $1', [user.id]);
    expect(rows, 'a day without a change has no row').toHaveLength(3);
    await onProject(service, user, id, ['DELETE']);
    await service.db.deleteFrom('projects').where('id', '=', id).execute();
    await record();
    await daysPass(1);
    expect((await historyOf(user, 2)).map(({ stored_bytes }) => stored_bytes)).toEqual([0, 0]);
  });

  test('adds up all accounts for administrators, including late builds of yesterday, and keeps them when one is deleted', async () => {
    await service.pool.query('truncate usage_days, usage_totals');
    const [one, two] = [await service.createUser(), await service.createUser()];
    await store((await createProject(service, one)).id, 1000);
    await addBuild(one, 60_000);
    await record();
    await addBuild(two, 30_000);
    await daysPass(1);
    await record();
    const [before, yesterday, today] = await totals(3);
    expect(before).toMatchObject({
      deployments: 0,
      build_seconds: 0,
      workspace_seconds: 0,
      projects: null,
      stored_bytes: null,
      accounts: null,
    });
    expect(yesterday).toMatchObject({ deployments: 2, build_seconds: 90 });
    expect(yesterday?.stored_bytes).toBeGreaterThanOrEqual(1000);
    expect(today).toMatchObject({ deployments: 0, build_seconds: 0, projects: expect.any(Number) });
    expect(today?.accounts).toBeGreaterThanOrEqual(2);
    await service.db.deleteFrom('users').where('id', '=', two.id).execute();
    await record();
    const { accounts } = (await totals(1))[0] ?? {};
    await daysPass(1);
    expect((await totals(1))[0], 'what there is stays until it is counted again').toMatchObject({ accounts });
    await daysPass(-1);
    expect((await totals(2))[0]).toMatchObject({ deployments: 2, build_seconds: 90 });
  });

  test('deletes days older than 400 days, but keeps the last value before them if it still applies', async () => {
    const user = await service.createUser();
    await store((await createProject(service, user)).id, 5);
    await record();
    await daysPass(100);
    await addBuild(user, 1000);
    await daysPass(401);
    await forgetOldUsage(service.db);
    const left = async () =>
      (await service.pool.query('select projects from usage_days where user_id = $1 order by day', [user.id])).rows;
    expect(await left()).toEqual([{ projects: 1 }, { projects: null }]);
    expect((await historyOf(user, 366))[0]).toMatchObject({ projects: 1, stored_bytes: 5 });
    await createProject(service, user);
    await record();
    await forgetOldUsage(service.db);
    expect(await left()).toEqual([{ projects: 2 }]);
  });

  test('of all accounts is for administrators only', async () => {
    const user = await service.createUser();
    const answer = await call('GET', `${service.url}/v1/admin/usage/history`, { token: user.key });
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});
