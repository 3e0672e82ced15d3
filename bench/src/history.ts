import { sql } from 'kysely';
import { timedEvents } from '../../apps/server/src/events/events.sql.ts';
import { type Db, inSnapshot, planOnce, transaction } from '../../apps/server/src/foundation/db/index.ts';
import { firstIdAt, newId } from '../../apps/server/src/foundation/ids.ts';
import { dropExpired } from '../../apps/server/src/foundation/partitions/drop-expired.ts';
import { keepPartitions } from '../../apps/server/src/foundation/partitions/index.ts';
import { claimDue, releaseAll } from '../../apps/server/src/webhooks/delivery/claims.sql.ts';
import { readInterest } from '../../apps/server/src/webhooks/fan-out/interest.sql.ts';
import { readFresh } from '../../apps/server/src/webhooks/fan-out/relay.sql.ts';
import { timedAttempts, timedDeliveries } from '../../apps/server/src/webhooks/history/cleaning.sql.ts';
import { listDeliveries } from '../../apps/server/src/webhooks/history/deliveries.sql.ts';
import { countByStatus } from '../../apps/server/src/webhooks/history/stats.sql.ts';
import { readPendingRange } from '../../apps/server/src/webhooks/queue/pending.sql.ts';
import { fillHistory } from './fill.ts';
import { figuresOf } from './measure.ts';
import { type Row, row } from './report.ts';

type Context = { user: { id: string }; quick: boolean; large: boolean };

const dayMs = 86_400_000;
const days = 30;
const repeats = 60;
const tables = [timedEvents, timedDeliveries, timedAttempts];

/** Partitions for a month, as time would create them. Runs before the first one is filled: a large one is not split. */
export async function openMonth(db: Db): Promise<void> {
  for (let back = days + 12; back >= 0; back--) {
    for (const table of tables) await keepPartitions(db, table, { days, now: Date.now() - back * dayMs, until: 0 });
  }
}

/** Deliveries and events of a month: first few, then a hundred times as many in the same tables. */
export async function historyRows({ user, quick, large }: Context, db: Db): Promise<Row[]> {
  const sizes = { small: quick && !large ? 10_000 : 100_000, large: large ? 10_000_000 : quick ? 100_000 : 1_000_000 };
  const webhooks = await webhooksOf(db, user.id);
  await fillHistory(db, { webhooks, days, rows: sizes.small });
  const few = await measureAll(db, webhooks, 1);
  await fillHistory(db, { webhooks, days, rows: sizes.large - sizes.small });
  const many = await measureAll(db, webhooks, 2);
  return [...many].map(([what, took]) => {
    const [ours, other] = [figuresOf(took), figuresOf(few.get(what) ?? [])];
    const measured = { ours, other, ratio: ours.perSecond / other.perSecond };
    const [large, small] = [sizes.large, sizes.small].map((size) => size.toLocaleString('en'));
    return row(`${what}, of ${large}`, `of ${small}`, '≥ 0.67', measured);
  });
}

async function webhooksOf(db: Db, ownerId: string): Promise<string[]> {
  const ids = Array.from({ length: 20 }, () => newId('whk'));
  await sql`
    insert into webhooks (id, owner_id, created_by, format, name, url, events, secret_encrypted)
    select id, ${ownerId}, ${ownerId}, 'core', 'Bench', 'https://hooks.example.com/', '{user.deleted}', ''
    from unnest(${ids}::text[]) as id`.execute(db);
  return ids;
}

async function measureAll(db: Db, webhooks: string[], round: number): Promise<Map<string, number[]>> {
  const webhookId = webhooks[3] ?? '';
  const [from, to] = [new Date(Date.now() - 7 * dayMs), new Date()];
  const all = { status: null, eventType: null, from: new Date(0), to };
  const page = { limit: 50, offset: 0 };
  const within = await readPendingRange(db);
  const parts: [string, () => Promise<unknown>][] = [
    ['claim of 100 due deliveries', () => claimOnce(db, webhooks, within)],
    ['look for new events to fan out', () => lookForNew(db)],
    [
      'list of deliveries, a page',
      () => inSnapshot(db, async (trx) => [await listDeliveries(trx, webhookId, all, page)]),
    ],
    [
      'list of failed deliveries, a page',
      () => inSnapshot(db, async (trx) => [await listDeliveries(trx, webhookId, { ...all, status: 'failed' }, page)]),
    ],
    [
      'statistics of a week',
      () => inSnapshot(db, async (trx) => [await countByStatus(trx, { webhookId, eventType: null, from, to })]),
    ],
  ];
  const took = new Map<string, number[]>();
  for (const [what, work] of parts) took.set(what, await timed(work));
  // The oldest partition of each, with a quarter of all rows.
  const until = Date.now() - days * dayMs + round * 9 * dayMs;
  took.set('cleaning, a partition dropped', []);
  for (const table of tables) {
    const begun = performance.now();
    if (!(await dropExpired(db, table, until))) throw new Error(`nothing of ${table.name} was dropped`);
    took.get('cleaning, a partition dropped')?.push(performance.now() - begun);
  }
  return took;
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let turn = -5; turn < repeats; turn++) {
    const begun = performance.now();
    await work();
    if (turn >= 0) took.push(performance.now() - begun);
  }
  return took;
}

async function lookForNew(db: Db): Promise<void> {
  const interest = await readInterest(db);
  await transaction(db, async (trx) => {
    await planOnce(trx);
    await readFresh(trx, { interest, ahead: null, limit: 1_000 });
  });
}

/** Only this transaction sees them; otherwise they would be sent. */
async function claimOnce(
  db: Db,
  webhooks: string[],
  within: Awaited<ReturnType<typeof readPendingRange>>,
): Promise<void> {
  const undone = new Error('undone');
  const claiming = transaction(db, async (trx) => {
    const { id: holder } = await trx
      .insertInto('webhook_workers')
      .defaultValues()
      .returning('id')
      .executeTakeFirstOrThrow();
    const prefix = firstIdAt('dlv', new Date()).slice(0, 14);
    await sql`
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind)
      select ${prefix} || 'p' || lpad(n::text, 15, '0'), (${webhooks}::text[])[1 + n % 20], 'evt_bench', 'user.updated', 'core', 'event'
      from generate_series(1, 100) n`.execute(trx);
    const rooms = { webhooks: new Map<string, number>(), accounts: new Map<string, number>() };
    await claimDue(trx, { holder, room: { webhook: 500, account: 4_000 }, rooms, limit: 500, within });
    await releaseAll(trx, holder, []);
    throw undone;
  });
  await claiming.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}
