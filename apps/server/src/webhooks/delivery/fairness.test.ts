import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { readSoFar, rowsRead } from '../../testing/parts/rows-read.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import type { DeliveryJob } from '../queue/delivery-job.ts';
import { registerWorker } from '../queue/workers.sql.ts';
import { subscribe } from '../subscription.fixture.ts';
import { claimDue } from './claims.sql.ts';

const service = useTestService({ role: 'api' });
const nowhere = 'https://endpoint.invalid/';

async function webhooksOf(user: TestUser, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await subscribe(service, { ownerId: user.id, url: nowhere }));
  return ids;
}

/** Queues deliveries that have been due for this long. By age alone, older ones would go first. */
async function queue(webhookIds: string[], count: number, dueSince: string): Promise<void> {
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, due_at)
     select 'dlv_' || w || n, w, $1, 'project.created', 'reference', 'event', now() - $3::interval
     from unnest($2::text[]) as w, generate_series(1, $4::int) as n`,
    [newId('evt'), webhookIds, dueSince, count],
  );
}

const noRooms = { webhooks: new Map<string, number>(), accounts: new Map<string, number>() };
async function claimIn(trx: Trx, limit: number, rooms = noRooms) {
  const holder = await registerWorker(service.db);
  const claimed = await claimDue(trx, { holder, room: { webhook: 500, account: 4_000 }, rooms, limit });
  if (claimed === 'busy') throw new Error('nobody else claims here');
  return claimed;
}
const claim = (limit: number, rooms = noRooms) => transaction(service.db, (trx) => claimIn(trx, limit, rooms));

describe('a claim', () => {
  let busy: TestUser;
  let other: TestUser;
  beforeEach(async () => {
    await service.pool.query('delete from webhook_deliveries');
    [busy, other] = [await service.createUser(), await service.createUser()];
  });

  test('takes deliveries of every account in turn, however long the backlog of one account is', async () => {
    await queue(await webhooksOf(busy, 20), 100, '1 hour');
    await queue(await webhooksOf(other, 1), 30, '1 second');
    const { jobs } = await claim(50);
    expect(jobs.filter(({ accountId }) => accountId === busy.id)).toHaveLength(25);
    expect(jobs.filter(({ accountId }) => accountId === other.id)).toHaveLength(25);
  });

  test('takes all that one account has room for if no other account waits', async () => {
    const [only] = await webhooksOf(busy, 1);
    await queue([only ?? ''], 600, '1 minute');
    const { jobs, behind } = await claim(500);
    expect(jobs).toHaveLength(500);
    expect(behind).toEqual(new Set([only]));
  });

  test('takes nothing of an account without room, and says which webhooks have more to deliver', async () => {
    const [mine] = await webhooksOf(other, 1);
    await queue(await webhooksOf(busy, 3), 10, '1 minute');
    await queue([mine ?? ''], 5, '1 second');
    const rooms = { webhooks: new Map([[mine ?? '', 3]]), accounts: new Map([[busy.id, 0]]) };
    const { jobs, behind } = await claim(50, rooms);
    expect(jobs.map(({ accountId }) => accountId)).toEqual([other.id, other.id, other.id]);
    expect(behind).toEqual(new Set([mine]));
  });

  test('reads little of a long backlog, even by a query plan that was made while nothing waited', async () => {
    const [any] = await webhooksOf(busy, 1);
    const ordered = await subscribe(service, { ownerId: other.id, url: nowhere, ordered: true });
    await service.pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, completed_at)
       select 'dlv_0' || n, $1, $2, 'project.created', 'reference', 'event', 'success', now() from generate_series(1, 20000) as n`,
      [any, newId('evt')],
    );
    await service.pool.query('vacuum analyze webhook_deliveries');
    await transaction(service.db, async (trx) => {
      expect((await claimIn(trx, 500)).jobs).toEqual([]);
      await sql`
        insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, project_id, place)
        select 'dlv_' || w || n, w, ${newId('evt')}, 'project.created', 'reference', 'event', 'prj_a',
          case when w = ${ordered} then n end
        from unnest(${[any, ordered]}::text[]) as w, generate_series(1, 10000) as n`.execute(trx);
      const before = await readSoFar(trx, 'webhook_deliveries');
      const { jobs } = await claimIn(trx, 100);
      expect(jobs).toHaveLength(100);
      expect((await readSoFar(trx, 'webhook_deliveries')) - before).toBeLessThan(1_500);
    });
  });

  describe('of a webhook with ordered events', () => {
    let id: string;
    /** Queues this many deliveries, of three projects in turn. */
    async function queueInOrder(count: number): Promise<void> {
      id = await subscribe(service, { ownerId: busy.id, url: nowhere, ordered: true });
      await service.pool.query(
        `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, project_id, place)
         select 'dlv_' || lpad(n::text, 26, '0'), $1, $2, 'project.created', 'reference', 'event',
           (array['prj_a', 'prj_b', null])[1 + n % 3], n from generate_series(1, $3::int) as n`,
        [id, newId('evt'), count],
      );
      await service.pool.query('analyze webhook_deliveries');
    }
    const set = (what: string, n: number) =>
      service.pool.query(`update webhook_deliveries set ${what} where place = $1`, [n]);
    const numbersOf = (jobs: DeliveryJob[]) => jobs.map((job) => Number(job.id.slice(4)));
    const roomFor = (room: number) => ({ ...noRooms, webhooks: new Map([[id, room]]) });

    test('takes the next deliveries of each project in order, and reads no more rows however many wait', async () => {
      await queueInOrder(6_000);
      let jobs: DeliveryJob[] = [];
      const read = await rowsRead(service.db, 'webhook_deliveries', async (trx) => {
        ({ jobs } = await claimIn(trx, 500));
      });
      expect(numbersOf(jobs)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
      expect(new Set(jobs.map(({ run }) => run?.line))).toEqual(new Set(['prj_a', 'prj_b', '']));
      expect(read).toBeLessThan(500);
      // Each project now has a delivery under way.
      expect((await claim(500)).jobs).toEqual([]);
    });

    test('takes as many as there is room for, without a gap', async () => {
      await queueInOrder(60);
      const hasGap = (taken: number[]) => taken.some((number) => number > 3 && !taken.includes(number - 3));
      const taken = numbersOf((await claim(500, roomFor(4))).jobs);
      expect([taken.length, hasGap(taken)]).toEqual([4, false]);
      expect((await claim(500, roomFor(4))).jobs).toEqual([]);
      await service.pool.query('update webhook_deliveries set holder = null');
      const atOnce = numbersOf((await claim(11)).jobs);
      expect([atOnce.length, hasGap(atOnce)]).toEqual([11, false]);
    });

    test('takes none behind a delivery that is retried later, and none of a project with one under way', async () => {
      await queueInOrder(12);
      await set("due_at = now() + interval '1 minute'", 1);
      await set("due_at = now() + interval '1 minute'", 5);
      await set('holder = 1', 9);
      expect(numbersOf((await claim(500)).jobs)).toEqual([2]);
    });

    test('takes the first delivery of a project before later ones, even if those have been due for longer', async () => {
      await queueInOrder(9);
      await set("due_at = now() - interval '1 hour'", 4);
      await set("due_at = now() - interval '1 hour'", 7);
      expect(numbersOf((await claim(1)).jobs)).not.toContain(4);
    });

    test('takes a single delivery after a pause, and none before its end', async () => {
      await queueInOrder(9);
      const pause = (until: string) =>
        service.pool.query(
          `insert into webhook_health (webhook_id, failures_in_row, paused_until) values ($1, 4, now() + $2::interval)
           on conflict (webhook_id) do update set paused_until = excluded.paused_until`,
          [id, until],
        );
      await pause('1 hour');
      expect((await claim(500)).jobs).toEqual([]);
      await pause('-1 second');
      expect(numbersOf((await claim(500)).jobs)).toHaveLength(1);
      expect((await claim(500)).jobs).toEqual([]);
    });

    test('takes all that are due once the webhook is no longer ordered', async () => {
      await queueInOrder(9);
      await set('holder = 1', 1);
      await service.pool.query('update webhooks set ordered = false where id = $1', [id]);
      const { jobs } = await claim(500);
      expect(numbersOf(jobs)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
      expect(jobs.every(({ run }) => run === null)).toBe(true);
    });
  });
});
