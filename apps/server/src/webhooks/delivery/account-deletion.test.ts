import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { transaction } from '../../foundation/db/index.ts';
import { purgeAccount } from '../../identity/accounts/index.ts';
import { leaveProjects } from '../../projects/slice.ts';
import { signedInBrowser, testPassword } from '../../testing/clients/browser.ts';
import { useReceiver } from '../../testing/clients/webhook-receiver.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { awaitsDeletionEvent } from '../fan-out/interest.sql.ts';
import { deliveriesOf, happen, quick, subscribe } from '../subscription.fixture.ts';

const service = useTestService();
const receiver = useReceiver();

let places = 0;
const newPlace = () => `/deletion-${++places}`;
const rowOf = (id: string) => service.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
const leaving: Parameters<typeof purgeAccount>[1] = {
  leaveProjects: (db, userId, cause) => leaveProjects(db, userId, { cause, emptying: [] }),
  awaitsDeletionEvent,
};
const purge = (user: TestUser) => purgeAccount(service.db, leaving, { user_id: user.id, request_id: null });

async function deleteAccount(user: TestUser): Promise<void> {
  const browser = await signedInBrowser(service.url, user);
  const answer = await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } });
  expect(answer.status).toBe(200);
}

describe('a deleted account’s own webhook', () => {
  test('gets the event of the deletion, and is then deleted with the account', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    const place = newPlace();
    const others = newPlace();
    await subscribe(service, { ownerId: user.id, url: receiver.at(place).url, format: 'guide' });
    await subscribe(service, { ownerId: other.id, url: receiver.at(others).url, format: 'guide' });
    await deleteAccount(user);
    const told = await waitFor('the last event', () =>
      receiver.at(place).received.find(({ json }) => json.type === 'user.deleted'),
    );
    expect(JSON.stringify(told.json)).toContain(user.email);
    await waitFor('nothing is left to tell', async () => !(await awaitsDeletionEvent(service.db, user.id)));
    await purge(user);
    expect(await rowOf(user.id)).toBeUndefined();
    expect(receiver.at(others).received.map(({ json }) => json.type)).not.toContain('user.deleted');
  });

  test('gets the event of the deletion again after a failure, and no other events meanwhile', async () => {
    const user = await service.createUser();
    const place = newPlace();
    receiver.reply(place, (_received, index) => (index < 3 ? { status: 500 } : {}));
    const id = await subscribe(service, {
      ownerId: user.id,
      url: receiver.at(place).url,
      format: 'guide',
      events: ['user.deleted', 'user.updated'],
      policy: { ...quick, max_attempts: 5 },
    });
    await deleteAccount(user);
    await happen(service, { accountId: user.id, type: 'user.updated' });
    await waitFor('it arrived', async () => (await deliveriesOf(service, id))[0]?.status === 'success');
    expect(await deliveriesOf(service, id)).toMatchObject([{ event_type: 'user.deleted', attempts: 4 }]);
  });

  test('keeps the empty row of the account for a day at most', async () => {
    const user = await service.createUser();
    const place = newPlace();
    receiver.reply(place, { status: 500 });
    const id = await subscribe(service, { ownerId: user.id, url: receiver.at(place).url, format: 'guide' });
    await deleteAccount(user);
    await waitFor('a first attempt', async () =>
      (await deliveriesOf(service, id)).some(
        ({ attempts, event_type: type }) => type === 'user.deleted' && attempts > 0,
      ),
    );
    await purge(user);
    expect(await rowOf(user.id)).toBeDefined();
    await service.pool.query("update users set suspended_at = now() - interval '24 hours' where id = $1", [user.id]);
    await purge(user);
    expect(await rowOf(user.id)).toBeUndefined();
  });
});

test('finding out whether a webhook awaits a deletion event reads no events that were fanned out', async () => {
  const user = await service.createUser();
  await subscribe(service, { ownerId: user.id, url: receiver.at(newPlace()).url, format: 'guide' });
  // Transaction 3 ended before any database existed, so these events count as fanned out.
  await service.pool.query(
    `insert into events (id, type, account_id, data, xid)
    select 'evt_' || lpad(n::text, 26, '0'), 'user.deleted', 'usr_other', '{}', '3' from generate_series(1, 5000) as n`,
  );
  const read = await transaction(service.db, async (trx) => {
    expect(await awaitsDeletionEvent(trx, user.id)).toBe(false);
    const { rows } = await sql<{ tuples: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::integer as tuples from pg_stat_xact_user_tables
      where relname like 'events%'`.execute(trx);
    return rows[0]?.tuples;
  });
  expect(read).toBeLessThan(1000);
});
