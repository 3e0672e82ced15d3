import { afterEach, expect, test } from 'vitest';
import { nobodyElse } from '../../foundation/cluster/siblings.ts';
import { transaction } from '../../foundation/db/transaction.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { deploy, logsOf, projectOf, readDeployment, textOf } from '../../testing/samples/sample-deployments.ts';
import type { Place } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { createBell } from '../state/bell.ts';
import { claimNext, renewLeases } from '../state/queue.sql.ts';
import { type Held, keepLeases } from './leases.ts';
import { reapOrphans } from './reaper.ts';
import type { WorkKind } from './work.ts';

const service = useTestService({ role: 'api' });
const workerId = 'the worker of the test';
const current = new Map<string, Held>();
const limits = { free: null, pro: null, enterprise: null };
afterEach(() => current.clear());

/** A build of this worker whose lease has expired. */
async function building(place: Place): Promise<Held> {
  await deploy(place);
  const taken = await transaction(service.db, (trx) => claimNext(trx, { workerId, limits, isLastPlace: false }));
  if (!taken) throw new Error('there was nothing to build');
  const held = {
    kind: builds,
    claim: { id: taken.id, workerId, attempt: taken.attempt },
    controller: new AbortController(),
  };
  await service.pool.query(`update deployments set lease_until = now() - interval '1 second' where id = $1`, [
    taken.id,
  ]);
  return held;
}

const builds: WorkKind = {
  claim: async () => undefined,
  renew: renewLeases,
  reap: () => reapOrphans(service.db, { publicUrl: () => service.url, appUrl: () => '' }, createBell(nobodyElse)),
};

function keep(warn: (error: unknown) => void) {
  return keepLeases({ vital: service.db, workerId, kinds: [builds], current, warn });
}

async function beat(): Promise<void> {
  const leases = keep((error) => {
    throw error;
  });
  await leases.beatNow();
  await leases.stop();
}

test('a living worker does not lose its builds if its lease expired while it could not renew it', async () => {
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

test('a build whose end could not be stored is begun again, although its worker still lives', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { claim } = await building(place);
  // A server that has just started grants everybody the time of a lease, and the tests' server may be that young.
  await waitFor('it is begun again', async () => {
    await beat();
    return (await readDeployment(place, claim.id)).status === 'pending';
  });
});

test('a worker that has lost a build to another worker ends its own run of that build', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const held = await building(place);
  current.set(held.claim.id, held);
  await service.pool.query(`update deployments set worker_id = 'another' where id = $1`, [held.claim.id]);
  await beat();
  expect(held.controller.signal.reason).toBe('lost');
});

test('a worker that lost the database considers no other worker dead until they had time to return', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { claim } = await building(place);
  await service.pool.query(`update deployments set worker_id = 'another' where id = $1`, [claim.id]);
  const problems: unknown[] = [];
  const leases = keep((error) => problems.push(error));
  await service.pool.query('alter table deployments rename to deployments_away');
  await leases.beatNow();
  await service.pool.query('alter table deployments_away rename to deployments');
  expect(problems).toHaveLength(1);
  // One of these beats also looks for builds of dead workers.
  for (let beats = 0; beats < 6; beats++) await leases.beatNow();
  await leases.stop();
  expect((await readDeployment(place, claim.id)).status).toBe('building');
  // A server that has just started grants everybody the time of a lease, and the tests' server may be that young.
  await waitFor('it is begun again', async () => {
    await beat();
    return (await readDeployment(place, claim.id)).status === 'pending';
  });
});
