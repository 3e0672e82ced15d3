import { eventTypes } from '@bottega/contract';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { claimDue } from '../delivery/claims.sql.ts';
import { createRelay } from '../fan-out/relay.ts';
import { rememberSubscribers } from '../fan-out/subscribers.ts';
import { deliveriesOf, happen, subscribe, undisturbed } from '../subscription.fixture.ts';
import { endStalledTurns } from './turns.sql.ts';
import { buryDeadWorkers, registerWorker, retireWorker } from './workers.sql.ts';

// Only the relays of the tests deliver here.
const service = useTestService({ role: 'api' });
let user: { id: string };
let webhook: string;

beforeEach(async () => {
  await service.db.deleteFrom('webhooks').execute();
  await service.db.deleteFrom('webhook_deliveries').execute();
  await service.db.deleteFrom('webhook_workers').execute();
  user = await service.createUser();
  webhook = await subscribe(service, { ownerId: user.id, url: 'http://127.0.0.1:1/' });
  while ((await relayOf(() => null).run()).state === 'more');
});

const roomy = { ofWebhook: () => 100, ofAccount: () => 100 };

/** A relay that pauses in the middle of a fan-out while `gate` waits. */
function relayOf(holder: () => number | null, gate: () => Promise<void> = async () => undefined) {
  const known = rememberSubscribers(secretBox(service.secretKey, 'webhooks'), { mark: () => 0 });
  const subscribers: typeof known = {
    ...known,
    async load(...args) {
      await gate();
      return known.load(...args);
    },
  };
  return createRelay({ db: service.db, subscribers, holder, room: roomy, ...undisturbed });
}

/** A node that has stopped in the middle of a fan-out of this worker. */
async function stopInFanOut(worker: number) {
  const [stopped, goingOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const relay = relayOf(
    () => worker,
    () => {
      stopped.resolve();
      return goingOn.promise;
    },
  );
  const fanningOut = relay.run();
  await stopped.promise;
  return { fanningOut, goOn: goingOn.resolve };
}

async function silence(worker: number): Promise<void> {
  await service.pool.query("update webhook_workers set beat_at = now() - interval '1 hour' where id = $1", [worker]);
}

const holders = async () => (await deliveriesOf(service, webhook)).map(({ holder }) => holder);

test('a worker leaves all events to a worker of a newer version, even events that it knows', async () => {
  const newer = await registerWorker(service.db, eventTypes.length + 1);
  const older = relayOf(() => null);
  const position = async () => (await service.pool.query('select snapshot::text from webhook_relay')).rows;
  const before = await position();
  await happen(service, { accountId: user.id });
  await service.pool.query(
    "insert into events (id, type, account_id, data) values ('evt_of_tomorrow', 'tomorrow.came', $1, '{}')",
    [user.id],
  );
  expect((await older.run()).state).toBe('done');
  expect(await position()).toEqual(before);
  expect(await holders()).toEqual([]);
  await retireWorker(service.db, newer);
  await older.run();
  expect(await holders()).toEqual([null]);
});

describe('a node that freezes in the middle of its turn', () => {
  test('holds no deliveries under its old name if it goes on after being declared dead', async () => {
    const worker = await registerWorker(service.db);
    await happen(service, { accountId: user.id });
    const { fanningOut, goOn } = await stopInFanOut(worker);
    await silence(worker);
    await buryDeadWorkers(service.db, 20);
    goOn();
    await fanningOut;
    await buryDeadWorkers(service.db, 20);
    expect(await holders()).toEqual([null]);
  });

  test('claims no deliveries under its old name after being declared dead', async () => {
    await happen(service, { accountId: user.id });
    await relayOf(() => null).run();
    const worker = await registerWorker(service.db);
    const blocking = new pg.Client(service.database.connection);
    await blocking.connect();
    await blocking.query('begin');
    await blocking.query('select from webhook_deliveries for update');
    const room = { webhook: 10, account: 10 };
    const rooms = { webhooks: new Map(), accounts: new Map() };
    const claiming = transaction(service.db, (trx) => claimDue(trx, { holder: worker, room, rooms, limit: 10 }));
    await waitFor('the claim waits', async () => {
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await service.pool.query(`select ${waiting}`)).rowCount === 1;
    });
    await silence(worker);
    await buryDeadWorkers(service.db, 20);
    await blocking.end();
    await claiming;
    await buryDeadWorkers(service.db, 20);
    expect(await holders()).toEqual([null]);
  });

  test('keeps the others from their turn no longer than its lease', async () => {
    const worker = await registerWorker(service.db);
    await happen(service, { accountId: user.id });
    const { fanningOut, goOn } = await stopInFanOut(worker);
    const other = relayOf(() => null);
    await endStalledTurns(service.db, 3_600);
    expect((await other.run()).state).toBe('busy');
    await endStalledTurns(service.db, 0);
    await waitFor('the turn is free', async () => (await other.run()).state === 'done');
    expect(await holders()).toEqual([null]);
    goOn();
    await expect(fanningOut).rejects.toThrow();
    expect(await holders()).toHaveLength(1);
  });
});

test('a worker that was given up fans out events, but leaves the deliveries for others to claim', async () => {
  const worker = await registerWorker(service.db);
  await happen(service, { accountId: user.id });
  await silence(worker);
  await buryDeadWorkers(service.db, 20);
  const { jobs, left } = await relayOf(() => worker).run();
  expect(jobs).toEqual([]);
  expect(left).toEqual(new Set([webhook]));
  expect(await holders()).toEqual([null]);
});
