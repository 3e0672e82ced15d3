import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../foundation/ids.ts';
import { type TestUser, useTestService } from '../testing/test-service.ts';
import { claimDue } from './claims.sql.ts';
import { subscribe } from './subscription.fixture.ts';

const service = useTestService({ role: 'api' });
const nowhere = 'https://endpoint.invalid/';

async function webhooksOf(user: TestUser, count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await subscribe(service, { ownerId: user.id, url: nowhere }));
  return ids;
}

/** Due for so long: the older, the sooner they would go by age alone. */
async function queue(webhookIds: string[], count: number, dueSince: string): Promise<void> {
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, due_at)
     select 'dlv_' || w || n, w, $1, 'project.created', 'reference', 'event', now() - $3::interval
     from unnest($2::text[]) as w, generate_series(1, $4::int) as n`,
    [newId('evt'), webhookIds, dueSince, count],
  );
}

const noRooms = { webhooks: new Map<string, number>(), accounts: new Map<string, number>() };
async function claim(limit: number, rooms = noRooms) {
  const claimed = await claimDue(service.db, { holder: 1, room: { webhook: 500, account: 4_000 }, rooms, limit });
  if (claimed === 'busy') throw new Error('nobody else claims here');
  return claimed;
}

describe('a claim', () => {
  let busy: TestUser;
  let other: TestUser;
  beforeEach(async () => {
    await service.pool.query('delete from webhook_deliveries');
    [busy, other] = [await service.createUser(), await service.createUser()];
  });

  test('takes from every account in turn, however long the backlog of one of them', async () => {
    await queue(await webhooksOf(busy, 20), 100, '1 hour');
    await queue(await webhooksOf(other, 1), 30, '1 second');
    const { jobs } = await claim(50);
    expect(jobs.filter(({ accountId }) => accountId === busy.id)).toHaveLength(25);
    expect(jobs.filter(({ accountId }) => accountId === other.id)).toHaveLength(25);
  });

  test('takes all that one account has room for where nobody else waits', async () => {
    const [only] = await webhooksOf(busy, 1);
    await queue([only ?? ''], 600, '1 minute');
    const { jobs, behind } = await claim(500);
    expect(jobs).toHaveLength(500);
    expect(behind).toEqual(new Set([only]));
  });

  test('takes nothing of an account without room, and says of which webhooks there is more', async () => {
    const [mine] = await webhooksOf(other, 1);
    await queue(await webhooksOf(busy, 3), 10, '1 minute');
    await queue([mine ?? ''], 5, '1 second');
    const rooms = { webhooks: new Map([[mine ?? '', 3]]), accounts: new Map([[busy.id, 0]]) };
    const { jobs, behind } = await claim(50, rooms);
    expect(jobs.map(({ accountId }) => accountId)).toEqual([other.id, other.id, other.id]);
    expect(behind).toEqual(new Set([mine]));
  });
});
