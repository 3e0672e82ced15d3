import { expect, test } from 'vitest';
import { createBell } from '../../deployments/state/bell.ts';
import { nobodyElse } from '../../foundation/cluster/siblings.ts';
import { transaction } from '../../foundation/db/index.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import type { Place } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { act, checkText, projectWithChecks, readCheck, wantAll } from '../checks.fixture.ts';
import { type Claim, claimNext, releaseRun, renewLeases } from '../state/index.ts';
import { finishRun, reapChecks } from './finish.service.ts';

// No worker of its own, so that the test is all workers.
const service = useTestService({ role: 'api' });
const bell = createBell(nobodyElse);
const none = { free: null, pro: null, enterprise: null };
const success = { conclusion: 'success', title: 'done', summary: '', annotations: [] } as const;

async function take(workerId: string, limits: Record<'free' | 'pro' | 'enterprise', number | null> = none) {
  const row = await transaction(service.db, (trx) => claimNext(trx, { workerId, limits, isLastPlace: false }));
  return row && { row, claim: { id: row.id, workerId, attempt: row.attempt } };
}

async function mustTake(workerId: string) {
  const taken = await take(workerId);
  if (!taken) throw new Error('there is nothing to run');
  return taken;
}

const finish = (claim: Claim) => transaction(service.db, (trx) => finishRun(trx, claim, success));

/** The worker's heartbeats have ended. A database that has just started gives workers a moment longer. */
async function lose({ id }: Claim): Promise<void> {
  await service.pool.query("update check_runs set lease_until = now() - interval '1 minute' where id = $1", [id]);
  await waitFor('the worker is lost', async () => {
    await reapChecks(service.db, bell);
    const { rows } = await service.pool.query("select from check_runs where id = $1 and status = 'in_progress'", [id]);
    return rows.length === 0;
  });
}

async function one(checks: Record<string, string | Record<string, unknown>> = { test: 'echo x' }): Promise<Place> {
  await service.pool.query("delete from check_runs where status <> 'completed'");
  const place = await projectWithChecks(service, checks);
  await wantAll(place);
  return place;
}

test('a check whose worker is lost runs once more, and a late result of the lost worker does not count', async () => {
  const place = await one();
  const { claim } = await mustTake('first');
  await lose(claim);
  expect(await readCheck(place, claim.id)).toMatchObject({ status: 'queued', attempt: 1 });
  const second = await mustTake('second');
  expect(second.claim).toMatchObject({ id: claim.id, attempt: 2 });
  expect(await finish(claim)).toBe(false);
  expect(await readCheck(place, claim.id)).toMatchObject({ status: 'in_progress' });
  expect(await finish(second.claim)).toBe(true);
  expect(await readCheck(place, claim.id)).toMatchObject({ status: 'completed', conclusion: 'success' });
  expect(await checkText(place, claim.id)).toContain('The worker was lost; the check will be restarted');
});

test('a check that loses two workers fails, and the checks that need it are skipped', async () => {
  const place = await one({ test: 'echo x', after: { run: 'echo y', needs: ['test'] } });
  for (const worker of ['first', 'second']) {
    const { claim } = await mustTake(worker);
    await lose(claim);
  }
  const runs = await wantAll(place);
  expect(runs.test).toMatchObject({ conclusion: 'failure', output: { title: 'The worker was lost twice' } });
  expect(runs.after).toMatchObject({ conclusion: 'skipped', output: { title: 'test did not succeed' } });
  expect(await take('third')).toBeUndefined();
});

test('a check with a pending cancellation ends when its worker is lost', async () => {
  const place = await one();
  const { claim } = await mustTake('first');
  const answer = act(place, claim.id, 'cancel');
  await expect
    .poll(
      async () =>
        (await service.pool.query('select cancel_requested_at from check_runs where id = $1', [claim.id])).rows[0],
    )
    .toMatchObject({ cancel_requested_at: expect.any(Date) });
  await lose(claim);
  expect(await answer).toMatchObject({ status: 200, body: { conclusion: 'cancelled' } });
});

test('a worker that stops returns its check as if the check had never started', async () => {
  const place = await one();
  const { claim } = await mustTake('first');
  await releaseRun(service.db, claim, { counts: false });
  expect(await readCheck(place, claim.id)).toMatchObject({ status: 'queued', attempt: 0, started_at: null });
});

test('a worker learns that its check is no longer wanted, and that another worker has taken it', async () => {
  const place = await one();
  const { claim } = await mustTake('first');
  const ids = [claim.id];
  expect(await renewLeases(service.db, 'first', { ids, extend: true })).toEqual([
    { id: claim.id, attempt: 1, unwanted: false },
  ]);
  void act(place, claim.id, 'cancel');
  await expect.poll(() => renewLeases(service.db, 'first', { ids, extend: false })).toMatchObject([{ unwanted: true }]);
  expect(await renewLeases(service.db, 'second', { ids, extend: true })).toEqual([]);
  expect(await finish(claim)).toBe(true);
});

test('a check is skipped by any worker if a check that it needs has failed meanwhile', async () => {
  const place = await one({ lint: 'x', test: { run: 'y', needs: ['lint'] } });
  const { claim } = await mustTake('first');
  // As if the need had ended before the other one was there.
  await service.pool.query(
    "update check_runs set status = 'completed', conclusion = 'failure', worker_id = null where id = $1",
    [claim.id],
  );
  await reapChecks(service.db, bell);
  expect((await wantAll(place)).test).toMatchObject({ conclusion: 'skipped' });
});

test('a plan limits builds and checks together, and an account without running work goes first', async () => {
  const busy = await one({ a: 'x', b: 'x' });
  const other = await projectWithChecks(service, { c: 'x' });
  await wantAll(other);
  const limits = { ...none, free: 1 };
  expect((await take('worker', limits))?.row.project_id).toBe(busy.projectId);
  expect((await take('worker', limits))?.row.project_id).toBe(other.projectId);
  expect(await take('worker', limits)).toBeUndefined();
  expect((await take('worker'))?.row).toMatchObject({ project_id: busy.projectId, name: 'b' });
});
