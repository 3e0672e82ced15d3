import { afterEach, expect, test } from 'vitest';
import { transaction } from '../foundation/db/transaction.ts';
import { nobodyElse } from '../foundation/processes/siblings.ts';
import { deploy, logsOf, projectOf, readDeployment, textOf } from '../testing/sample-deployments.ts';
import type { Place } from '../testing/sample-files.ts';
import { useTestService } from '../testing/test-service.ts';
import { createBell } from './bell.ts';
import { type Held, keepLeases } from './leases.ts';
import { claimNext } from './queue.sql.ts';

const service = useTestService({ role: 'api' });
const workerId = 'the worker of the test';
const current = new Map<string, Held>();
const limits = { free: null, pro: null, enterprise: null };
afterEach(() => current.clear());

/** One that this worker builds, whose lease has run out. */
async function building(place: Place): Promise<Held> {
  await deploy(place);
  const taken = await transaction(service.db, (trx) => claimNext(trx, { workerId, limits, isLastPlace: false }));
  if (!taken) throw new Error('there was nothing to build');
  const held = { claim: { id: taken.id, workerId, attempt: taken.attempt }, controller: new AbortController() };
  await service.pool.query(`update deployments set lease_until = now() - interval '1 second' where id = $1`, [
    taken.id,
  ]);
  return held;
}

async function beat(): Promise<void> {
  const addresses = { publicUrl: () => service.url, appUrl: () => '' };
  const warn = (error: unknown) => {
    throw error;
  };
  const leases = keepLeases({
    db: service.db,
    vital: service.db,
    workerId,
    addresses,
    bell: createBell(nobodyElse),
    current,
    warn,
  });
  await leases.beatNow();
  await leases.stop();
}

test('a worker that lives does not lose its builds because its lease ran out while it could not renew it', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const held = await building(place);
  current.set(held.claim.id, held);
  await beat();
  expect(held.controller.signal.aborted).toBe(false);
  expect((await readDeployment(place, held.claim.id)).status).toBe('building');
  expect(textOf(await logsOf(place, held.claim.id))).not.toContain('The worker was lost');
  const { rows } = await service.pool.query(
    'select worker_id, lease_until > now() as holds from deployments where id = $1',
    [held.claim.id],
  );
  expect(rows).toEqual([{ worker_id: workerId, holds: true }]);
});

test('a worker that has lost a build to another ends its own run of it', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const held = await building(place);
  current.set(held.claim.id, held);
  await service.pool.query(`update deployments set worker_id = 'another' where id = $1`, [held.claim.id]);
  await beat();
  expect(held.controller.signal.reason).toBe('lost');
});
