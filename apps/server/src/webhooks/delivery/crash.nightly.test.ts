import type { ChildProcess } from 'node:child_process';
import { once as onceEmitted } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../commands/open-database.ts';
import { openEmbeddedDatabase } from '../../foundation/db/embedded/index.ts';
import { openDb, openPool } from '../../foundation/db/pool.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { byNight } from '../../testing/runner/thoroughness.ts';
import { startNode } from '../../testing/service/node.ts';
import { startNodeProcess } from '../../testing/service/node-process.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { hang, ok, type Receiver, startReceiver } from '../receiver.fixture.ts';
import { deliveriesOf, happen, numbersIn, subscribe } from '../subscription.fixture.ts';

// This service only writes. Other processes deliver: those that are killed, and those that take over.
const service = useTestService({ role: 'api' });
const settings = { BOTTEGA_WEBHOOK_LEASE: '1', BOTTEGA_WEBHOOK_CONCURRENCY: '1' };
const children: ChildProcess[] = [];
const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const one of toClose.splice(0)) await one.close();
  await service.db.deleteFrom('webhooks').execute();
});

async function nodeProcess(): Promise<ChildProcess> {
  const { child } = await startNodeProcess(service, { role: 'worker', settings });
  children.push(child);
  return child;
}

/** Another node, which no test kills, so it needs no process of its own. */
async function takeOver(): Promise<void> {
  const { connection } = service.database;
  toClose.push(await startNode({ connection, role: 'worker', secretKey: service.secretKey, settings }));
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = onceEmitted(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  toClose.push(started);
  return started;
}

async function hooked(at: Receiver, timeout = 60) {
  const user = await service.createUser();
  return { user, id: await subscribe(service, { ownerId: user.id, url: at.url, timeout }) };
}

async function holding(statement: string): Promise<pg.Client> {
  const client = new pg.Client(service.database.connection);
  await client.connect();
  // Closed even if the test fails, because its locks would block the next test.
  toClose.push({ close: () => client.end() });
  await client.query('begin');
  await client.query(statement);
  return client;
}

/** Waits until no worker has a recent heartbeat. Killed workers of former tests may still have rows. */
const outOfTouch = () =>
  waitFor('it is out of touch', async () => {
    const recent = "select from webhook_workers where beat_at > now() - interval '0.8 s'";
    return (await service.pool.query(recent)).rowCount === 0;
  });

async function workerOfAnotherNode(): Promise<number> {
  const { rows } = await service.pool.query(
    "insert into webhook_workers (beat_at) values (now() + interval '1 hour') returning id",
  );
  return rows[0].id;
}

const succeeded = (id: string, count: number) =>
  waitFor(`${count} outcomes`, async () => {
    const rows = (await deliveriesOf(service, id)).filter((row) => row.status === 'success');
    return rows.length === count && rows;
  });

describe('a process that is killed', () => {
  test('between the commit and the fan-out lets the event arrive once', async () => {
    const at = await receiver();
    const { user, id } = await hooked(at);
    const lock = await holding('lock table webhook_relay in access exclusive mode');
    const first = await nodeProcess();
    const number = await happen(service, { accountId: user.id });
    await kill(first);
    expect(await deliveriesOf(service, id)).toEqual([]);
    await lock.end();
    await takeOver();
    await succeeded(id, 1);
    expect(numbersIn(at.received)).toEqual([number]);
  });

  test('after the fan-out lets unsent deliveries arrive once, and those under way perhaps again', async () => {
    const at = await receiver(hang);
    const { user, id } = await hooked(at);
    const first = await nodeProcess();
    const numbers: number[] = [];
    for (let count = 0; count < 5; count++) numbers.push(await happen(service, { accountId: user.id }));
    await waitFor('one is under way and the others are held', async () => {
      const rows = await deliveriesOf(service, id);
      return at.received.length === 1 && rows.length === 5 && rows.every((row) => row.holder !== null);
    });
    await kill(first);
    const underWay = numbersIn(at.received);
    at.answer(ok);
    await takeOver();
    const rows = await succeeded(id, 5);
    expect(rows.every((row) => row.attempts === 1 && row.logged === 1)).toBe(true);
    expect(numbersIn(at.received).toSorted()).toEqual([...numbers, ...underWay].toSorted());
  });

  test('between sending and storing the outcome lets that delivery arrive again, under the same ids', async () => {
    const at = await receiver();
    const { user, id } = await hooked(at);
    const first = await nodeProcess();
    const lock = await holding('lock table webhook_stats in access exclusive mode');
    const number = await happen(service, { accountId: user.id });
    await waitFor('it is sent', () => at.received.length === 1);
    await kill(first);
    await lock.end();
    await takeOver();
    const [row] = await succeeded(id, 1);
    expect(row).toMatchObject({ attempts: 1, logged: 1 });
    expect(numbersIn(at.received)).toEqual([number, number]);
    const [one, again] = at.received;
    for (const header of ['webhook-id', 'x-service-delivery'])
      expect(again?.headers[header]).toBe(one?.headers[header]);
    const { rows: stats } = await service.pool.query(
      'select sum(deliveries)::int as n from webhook_stats where webhook_id = $1',
      [id],
    );
    expect(stats).toEqual([{ n: 1 }]);
    // The new worker has removed the killed one.
    expect((await service.pool.query('select 1 from webhook_workers')).rows).toHaveLength(1);
  });
});

describe('with ordered events', () => {
  /** Repeats are allowed, but no number may be skipped. */
  const expectOrder = (seen: number[], numbers: number[]) => {
    expect([...new Set(seen)]).toEqual(numbers);
    let furthest = -1;
    for (const number of seen) {
      const index = numbers.indexOf(number);
      expect(index).toBeLessThanOrEqual(furthest + 1);
      furthest = Math.max(furthest, index);
    }
  };
  async function inOrder(at: Receiver, count: number) {
    const user = await service.createUser();
    const id = await subscribe(service, { ownerId: user.id, url: at.url, ordered: true, timeout: 60 });
    const numbers: number[] = [];
    for (let made = 0; made < count; made++) numbers.push(await happen(service, { accountId: user.id }));
    return { id, numbers };
  }

  test('a process that is killed halfway is followed by another, which goes on from what was not stored', async () => {
    const at = await receiver((_, response) => void (at.received.length > 30 || response.end()));
    const first = await nodeProcess();
    const { id, numbers } = await inOrder(at, 100);
    await waitFor('one of them hangs', () => at.received.length === 31);
    await kill(first);
    at.answer(ok);
    await takeOver();
    await succeeded(id, 100);
    expectOrder(numbersIn(at.received), numbers);
  });

  test('a process that is stopped halfway sends nothing when it wakes after another has sent the rest', async () => {
    const answers: (() => void)[] = [];
    const at = await receiver((_, response) => {
      if (at.received.length > 10) answers.push(() => response.end());
      else response.end();
    });
    const first = await nodeProcess();
    const { id, numbers } = await inOrder(at, 40);
    await waitFor('one of them hangs, and others are held behind it', async () => {
      const rows = await deliveriesOf(service, id);
      return answers.length === 1 && rows.filter((row) => row.holder !== null).length > 1;
    });
    first.kill('SIGSTOP');
    at.answer(ok);
    await takeOver();
    await succeeded(id, 40);
    const before = at.received.length;
    // The answer is waiting when the node wakes, but the node may not continue with the next delivery.
    for (const answer of answers) answer();
    first.kill('SIGCONT');
    await waitFor(
      'it has a name again',
      async () => (await service.pool.query('select from webhook_workers')).rowCount === 2,
    );
    expect(at.received).toHaveLength(before);
    expectOrder(numbersIn(at.received), numbers);
  });

  test('a worker that was out of touch for a moment skips no event', async () => {
    const { connection } = service.database;
    const answers: (() => void)[] = [];
    const at = await receiver((_, response) => void answers.push(() => response.end()));
    toClose.push(await startNode({ connection, role: 'all', secretKey: service.secretKey, settings }));
    const { id, numbers } = await inOrder(at, 20);
    await waitFor('one is under way', () => answers.length === 1);
    const silence = await holding('select from webhook_workers for no key update');
    await outOfTouch();
    at.answer(ok);
    answers[0]?.();
    await succeeded(id, 1);
    await silence.query('rollback');
    await silence.end();
    await succeeded(id, 20);
    expect(numbersIn(at.received)).toEqual(numbers);
  });
});

describe('two nodes on one database', () => {
  test('send every event once between them, also if the events are ordered', async () => {
    const { connection } = service.database;
    const shared = { connection, role: 'all' as const, secretKey: service.secretKey };
    toClose.push(await startNode(shared), await startNode(shared));
    const at = await receiver((_, response) => void setTimeout(() => response.end(), 2));
    let [active, max] = [0, 0];
    const inOrder = await receiver((_, response) => {
      max = Math.max(max, ++active);
      setTimeout(() => response.end(() => active--), 2);
    });
    const { user, id } = await hooked(at);
    await subscribe(service, { ownerId: user.id, url: inOrder.url, ordered: true });
    const numbers: number[] = [];
    const rounds = byNight(10, 3);
    for (let count = 0; count < rounds; count++) {
      numbers.push(...(await Promise.all(Array.from({ length: 20 }, () => happen(service, { accountId: user.id })))));
    }
    await succeeded(id, rounds * 20);
    expect(numbersIn(at.received).toSorted()).toEqual(numbers.toSorted());
    await waitFor('those in order', () => inOrder.received.length === rounds * 20);
    expect(max).toBe(1);
    // Events of one round are created concurrently and have no order.
    const seen = numbersIn(inOrder.received);
    for (let from = 0; from < seen.length; from += 20)
      expect(seen.slice(from, from + 20).toSorted()).toEqual(numbers.slice(from, from + 20).toSorted());
  });

  test('do not store the outcome of a worker that was given up', async () => {
    const { connection } = service.database;
    const at = await receiver();
    const { user, id } = await hooked(at);
    const answers: (() => void)[] = [];
    // Only the first request is held. A slow machine may be given up earlier and send again, and would then wait for
    // ever.
    at.answer((_, response) => {
      answers.push(() => response.end('late'));
      at.answer(ok);
    });
    toClose.push(await startNode({ connection, role: 'all', secretKey: service.secretKey, settings }));
    await happen(service, { accountId: user.id });
    await waitFor(
      'it is under way',
      async () => answers.length === 1 && (await deliveriesOf(service, id)).length === 1,
    );
    // Other nodes would do the same after a long silence of this one.
    const other = await workerOfAnotherNode();
    await service.pool.query('delete from webhook_workers where id <> $1', [other]);
    await service.pool.query('update webhook_deliveries set holder = $2 where webhook_id = $1', [id, other]);
    answers[0]?.();
    await waitFor(
      'it has a new name',
      async () => (await service.pool.query('select 1 from webhook_workers where id <> $1', [other])).rows[0],
    );
    expect((await deliveriesOf(service, id))[0]).toMatchObject({ status: 'pending', attempts: 0, holder: other });
    await service.pool.query('delete from webhook_workers where id = $1', [other]);
    await service.pool.query('update webhook_deliveries set holder = null where webhook_id = $1', [id]);
    await succeeded(id, 1);
  });
});

test('a worker that was out of touch for a moment still sends the deliveries that it holds, each once', async () => {
  const { connection } = service.database;
  const answers: (() => void)[] = [];
  const at = await receiver((_, response) => void answers.push(() => response.end('done')));
  const { user, id } = await hooked(at);
  toClose.push(await startNode({ connection, role: 'all', secretKey: service.secretKey, settings }));
  for (let count = 0; count < 3; count++) await happen(service, { accountId: user.id });
  await waitFor('all are held', async () => {
    const rows = await deliveriesOf(service, id);
    return answers.length === 1 && rows.length === 3 && rows.every((row) => row.holder !== null);
  });
  // The heartbeats wait for this row. After three quarters of the lease the node must not send. After all of it others
  // may.
  const silence = await holding('select from webhook_workers for no key update');
  await outOfTouch();
  at.answer(ok);
  answers[0]?.();
  await succeeded(id, 1);
  await silence.query('rollback');
  await silence.end();
  await succeeded(id, 3);
  expect(new Set(numbersIn(at.received)).size).toBe(3);
  expect(at.received).toHaveLength(3);
});

test('a node that stops finishes the deliveries that are under way, and gives the rest back', async () => {
  const { connection } = service.database;
  const answers: (() => void)[] = [];
  const at = await receiver((_, response) => void answers.push(() => response.end('done')));
  const { user, id } = await hooked(at);
  const node = await startNode({ connection, role: 'all', secretKey: service.secretKey, settings });
  for (let count = 0; count < 3; count++) await happen(service, { accountId: user.id });
  await waitFor('all are held', async () => {
    const rows = await deliveriesOf(service, id);
    return answers.length === 1 && rows.length === 3 && rows.every((row) => row.holder !== null);
  });
  const closed = node.close();
  await waitFor(
    'what waits is given back',
    async () => (await deliveriesOf(service, id)).filter((row) => row.holder === null).length === 2,
  );
  answers[0]?.();
  await closed;
  const rows = await deliveriesOf(service, id);
  expect(rows.map((row) => row.status).toSorted()).toEqual(['pending', 'pending', 'success']);
  expect(rows.every((row) => row.holder === null)).toBe(true);
  expect((await service.pool.query('select 1 from webhook_workers')).rows).toEqual([]);
  expect(at.received).toHaveLength(1);
});

test('a restart of PostgreSQL loses nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bottega-hooks-'));
  const quiet = { holder: 'service' as const, description: 'a test', log: { info() {}, warn() {} } };
  let database = await openEmbeddedDatabase({ ...quiet, dataDir });
  const { connection } = database;
  const pool = openPool(connection, { max: 2, onIdleError: () => undefined });
  await migrateDatabase({ connection, pool, close: async () => undefined });
  const running = { db: openDb(pool), pool, secretKey: service.secretKey };
  const node = await startNode({ connection, role: 'all', secretKey: service.secretKey });
  try {
    const userId = 'usr_00000000000000000000000001';
    await pool.query("insert into users (id, email, username, name) values ($1, 'a@example.com', 'a', 'A')", [userId]);
    const at = await receiver((_, response) => void setTimeout(() => response.end(), 20));
    const id = await subscribe(running, { ownerId: userId, url: at.url });
    const numbers: number[] = [];
    for (let count = 0; count < 50; count++) numbers.push(await happen(running, { accountId: userId }));
    await waitFor('it is in the middle of it', () => at.received.length > 5);
    await database.close();
    database = await openEmbeddedDatabase({ ...quiet, dataDir });
    numbers.push(await happen(running, { accountId: userId }));
    await waitFor(
      'everything is stored',
      async () => {
        const rows = await deliveriesOf(running, id);
        return rows.length === 51 && rows.every((row) => row.status === 'success');
      },
      30_000,
    );
    expect(new Set(numbersIn(at.received))).toEqual(new Set(numbers));
  } finally {
    await node.close();
    await pool.end();
    await database.close();
    await rm(dataDir, { recursive: true });
  }
});
