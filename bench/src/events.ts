import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { appendEvent } from '../../apps/server/src/events/index.ts';
import { nudgeNodes } from '../../apps/server/src/foundation/cluster/nudges.sql.ts';
import { type Db, openDb, openPool } from '../../apps/server/src/foundation/db/pool.ts';
import { transaction } from '../../apps/server/src/foundation/db/transaction.ts';
import { issueApiKey } from '../../apps/server/src/identity/auth/index.ts';
import { addUser } from '../../apps/server/src/identity/users/index.ts';
import { figuresOf } from './measure.ts';
import type { Row } from './report.ts';
import type { Connection, Server } from './start-server.ts';

type Context = { bottega: Server; connection: Connection; quick: boolean };
type Account = { id: string; key: string };

const accounts = 40;
const listenersOfEach = 25;
const eventsPerSecond = 200;
const noCause = { actorId: null, requestId: 'req_bench', idempotencyKey: null };

/**
 * A thousand streams, where each event reaches those of one account: measures the time from its commit to each arrival.
 */
export async function measureEvents({ bottega, connection, quick }: Context): Promise<Row[]> {
  const pool = openPool(connection, { max: 4, onIdleError: () => undefined });
  const db = openDb(pool);
  const committed = new Map<string, number>();
  const times: number[] = [];
  const streams: { destroy(): void }[] = [];
  try {
    const users = await Promise.all(Array.from({ length: accounts }, (_, n) => addAccount(db, n)));
    for (const { key } of users) {
      const opened = Array.from({ length: listenersOfEach }, () =>
        listen(bottega.url, key, (name) => {
          // An event that arrives before its commit is confirmed took no time.
          const now = performance.now();
          times.push(now - (committed.get(name) ?? now));
        }),
      );
      streams.push(...(await Promise.all(opened)));
    }
    const seconds = quick ? 5 : 30;
    const idle = await shareOfCore(bottega, () => delay(seconds * 1000));
    const busy = await shareOfCore(bottega, () => commitEvents(db, users, { seconds, committed }));
    await delay(1_000);
    const expected = committed.size * listenersOfEach;
    const arrived = `${times.length} of ${expected} arrived; ${busy} % of a core, ${idle} % without events`;
    const other = { perSecond: 0, p50: 0, p99: 0, text: arrived };
    const what = `${accounts * listenersOfEach} streams, ${eventsPerSecond} events a second: commit to arrival`;
    const { p50, p99, perSecond } = figuresOf(times);
    const ours = { perSecond, p50, p99, text: `p50 ${p50} ms, p99 ${p99} ms` };
    return [{ what, ours, against: 'what it takes', other, ratio: 0, goal: '–' }];
  } finally {
    for (const stream of streams) stream.destroy();
    await pool.end();
  }
}

async function addAccount(db: Db, number: number): Promise<Account> {
  const email = `listener${number}-${Date.now()}@example.com`;
  const account = {
    email,
    name: 'Listener',
    passwordHash: '',
    emailVerified: true,
    plan: 'enterprise',
    source: 'bench',
  } as const;
  return transaction(db, async (trx) => {
    const { id } = await addUser(trx, { ...account, isAdmin: false }, noCause);
    const { key } = await issueApiKey(trx, { userId: id, name: 'bench', scopes: [], expiresAt: null });
    return { id, key };
  });
}

function listen(url: string, key: string, onEvent: (name: string) => void): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` };
    const asked = get(`${url}/v1/events?types=user.updated`, { agent: false, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`a stream was refused: ${answer.statusCode}`));
      answer.setEncoding('utf8').on('data', (text: string) => {
        for (const [, name = ''] of text.matchAll(/"(bench-\d+)"/g)) onEvent(name);
      });
      answer.on('error', () => undefined);
      resolve(asked);
    });
    asked.on('error', reject);
  });
}

type Load = { seconds: number; committed: Map<string, number> };

/** Commits at an even rate, each event in its own transaction; the service is notified as by another node. */
async function commitEvents(db: Db, users: Account[], { seconds, committed }: Load): Promise<void> {
  const begun = performance.now();
  const pending: Promise<void>[] = [];
  for (let n = 0; n < seconds * eventsPerSecond; n++) {
    await delay(Math.max(0, begun + (n * 1000) / eventsPerSecond - performance.now()));
    pending.push(commitEvent(db, users[n % users.length] as Account, `bench-${n}`, committed));
  }
  await Promise.all(pending);
}

async function commitEvent(db: Db, { id }: Account, name: string, committed: Load['committed']): Promise<void> {
  const data = { user_id: id, username: 'bench', email: 'bench@example.com', name } as never;
  await transaction(db, (trx) =>
    appendEvent(trx, { type: 'user.updated', accountId: id, projectId: null, data }, noCause),
  );
  committed.set(name, performance.now());
  await nudgeNodes(db, 'followed');
}

async function shareOfCore({ processor }: Server, work: () => Promise<void>): Promise<number> {
  const [before, begun] = [await processor(), performance.now()];
  await work();
  return Math.round(((await processor()) - before) / (performance.now() - begun) / 10);
}
