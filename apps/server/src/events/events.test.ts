import type { EventData } from '@bottega/contract';
import { sql } from 'kysely';
import { expect, expectTypeOf, test } from 'vitest';
import { openDb } from '../foundation/db/pool.ts';
import { transaction } from '../foundation/db/transaction.ts';
import { newId } from '../foundation/ids.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { appendEvent, type NewEvent, onEvents } from './index.ts';

const service = useTestService();
const cause = { actorId: null, requestId: 'req_test', idempotencyKey: null };
const event = { type: 'user.deleted', accountId: 'usr_1', projectId: null, data: {} } as unknown as NewEvent;

test('a commit is announced to the listeners of its database object, and a rollback to nobody', async () => {
  const [db, other] = [openDb(service.pool), openDb(service.pool)];
  const heard: string[] = [];
  const stop = onEvents(db, (types) => heard.push(...types));
  onEvents(other, () => heard.push('another service in this process'));

  await expect(
    transaction(db, async (trx) => {
      await appendEvent(trx, event, cause);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(heard).toEqual([]);

  await transaction(db, async (trx) => {
    await appendEvent(trx, event, cause);
    expect(heard).toEqual([]);
  });
  expect(heard).toEqual(['user.deleted']);

  stop();
  await transaction(db, (trx) => appendEvent(trx, event, cause));
  expect(heard).toEqual(['user.deleted']);
});

test('the time of an event is never before a time that its transaction noted in its data', async () => {
  const id = newId('usr');
  const told = await transaction(service.db, async (trx) => {
    const { rows } = await sql<{ time: string }>`select clock_timestamp()::text as time`.execute(trx);
    await appendEvent(trx, { ...event, accountId: id }, cause);
    return rows[0]?.time ?? '';
  });
  const found = await service.pool.query(
    'select created_at >= $2::timestamptz as holds from events where account_id = $1',
    [id, told],
  );
  expect(found.rows).toEqual([{ holds: true }]);
});

test('an event with the data of another type does not compile', () => {
  type Logout<Data> = { type: 'user.logout'; accountId: string; projectId: null; data: Data };
  expectTypeOf<Logout<EventData['user.logout']>>().toExtend<NewEvent>();
  expectTypeOf<Logout<EventData['user.deleted']>>().not.toExtend<NewEvent>();
});
