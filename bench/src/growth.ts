import { sql } from 'kysely';
import { findSessions } from '../../apps/server/src/collaboration/sessions/index.ts';
import { createDue } from '../../apps/server/src/collaboration/sockets/due.ts';
import { readMoved } from '../../apps/server/src/events/index.ts';
import { inTurn } from '../../apps/server/src/foundation/concurrency/in-turn.ts';
import { cleanRows, type Db, openDb, openPool, transaction } from '../../apps/server/src/foundation/db/index.ts';
import { readHeadsOf } from '../../apps/server/src/repository/store/index.ts';
import { claimDue, releaseAll } from '../../apps/server/src/webhooks/delivery/claims.sql.ts';
import { fillBacklog, fillCommits, fillEvents, fillFiles, fillSessions } from './fill.ts';
import { historyRows, openMonth } from './history.ts';
import { figuresOf, type Measured } from './measure.ts';
import { type Row, row } from './report.ts';
import { send } from './send.ts';
import type { Connection } from './start-server.ts';

type Context = {
  bottega: string;
  connection: Connection;
  user: { id: string };
  key: string;
  quick: boolean;
  large: boolean;
};
type Sizes = { small: number; large: number };

const repeats = 40;
const goal = '≥ 0.67';

/** The cost of every page and every periodic task with a hundred times as much data. */
export async function measureGrowth(context: Context): Promise<Row[]> {
  const times = context.quick ? 20 : 100;
  const pool = openPool(context.connection, { max: 4, onIdleError: () => undefined });
  const db = openDb(pool);
  const sized = (small: number): Sizes => ({ small, large: small * times });
  try {
    await openMonth(db);
    return [
      await commitsRow(context, db, { small: 1_000, large: 100_000 }),
      await filesRow(context, db, sized(2_000)),
      await upkeepRow(context, db, sized(100)),
      await watchRow(context, db, sized(100)),
      await cleaningRow(db, sized(5_000)),
      await claimRow(context, db, sized(100)),
      ...(await historyRows(context, db)),
    ];
  } finally {
    await pool.end();
  }
}

const newProject = async ({ bottega, key }: Context, name: string): Promise<string> =>
  (await send<{ id: string }>({ bottega, key }, 'POST', '/projects', { name })).id;

async function commitsRow(context: Context, db: Db, sizes: Sizes): Promise<Row> {
  const [small, large] = [await newProject(context, 'short'), await newProject(context, 'long')];
  await fillCommits(db, small, sizes.small);
  await fillCommits(db, large, sizes.large);
  const read = (id: string) => () => send(context, 'GET', `/projects/${id}/commits`);
  return rowOf('commits, page 1', sizes, await inTurns(read(large), read(small)));
}

async function filesRow(context: Context, db: Db, sizes: Sizes): Promise<Row> {
  const [small, large] = [await newProject(context, 'few'), await newProject(context, 'many')];
  await fillFiles(db, small, sizes.small);
  await fillFiles(db, large, sizes.large);
  const read = (id: string) => () => send(context, 'GET', `/projects/${id}/files?recursive=true&limit=100`);
  return rowOf('recursive list, a page of 100 files', sizes, await inTurns(read(large), read(small)));
}

/** Does what `upkeep.ts` does every 0.4 s: reads what moved, and compares some texts in turn. */
async function upkeepRow(context: Context, db: Db, sizes: Sizes): Promise<Row> {
  const projectId = await newProject(context, 'texts');
  const turnOf = (count: number) => {
    const next = inTurn<number>(100);
    const texts = Array.from({ length: count }, (_, n) => n);
    let seen: string | null = null;
    return async () => {
      seen = (await readMoved(db, seen)).seen;
      const wanted = next(texts).map((n) => ({
        id: `${n}`,
        projectId,
        branch: 'main',
        fileId: `fil_${n}`,
        path: `/f${n}`,
      }));
      await readHeadsOf(db, wanted);
    };
  };
  return rowOf('upkeep of live texts, a turn', sizes, await inTurns(turnOf(sizes.large), turnOf(sizes.small)));
}

/** Does what `watch.ts` does every second without announcements. */
async function watchRow(context: Context, db: Db, sizes: Sizes): Promise<Row> {
  const ids = await fillSessions(db, await newProject(context, 'sessions'), sizes.large);
  const lookAt = (count: number) => {
    const watched = ids.slice(0, count);
    const due = createDue<string>(100);
    due.take(watched, () => false);
    return async () => {
      due.nextTurn(true);
      await findSessions(
        db,
        due.take(watched, () => false),
      );
    };
  };
  return rowOf('watch of sessions, a look', sizes, await inTurns(lookAt(sizes.large), lookAt(sizes.small)));
}

/** The time per thousand rows: the total is proportional to their number. */
async function cleaningRow(db: Db, sizes: Sizes): Promise<Row> {
  const clean = async (count: number): Promise<number> => {
    await fillEvents(db, count);
    const begun = performance.now();
    await cleanRows(db, { table: 'events', by: 'id', where: sql`gone.type = 'bench.old'` });
    return ((performance.now() - begun) / count) * 1000;
  };
  const small = figuresOf([await clean(sizes.small)]);
  const large = figuresOf([await clean(sizes.large)]);
  const measured = { ours: large, other: small, ratio: large.perSecond / small.perSecond };
  return rowOf('cleaning of events, a thousand rows', sizes, measured);
}

/**
 * Claims the next delivery of an ordered webhook's project. Only this transaction sees it; otherwise it would be sent.
 */
async function claimRow({ user }: Context, db: Db, sizes: Sizes): Promise<Row> {
  const undone = new Error('undone');
  let measured: Measured | undefined;
  const measuring = transaction(db, async (trx) => {
    const { id: holder } = await trx
      .insertInto('webhook_workers')
      .defaultValues()
      .returning('id')
      .executeTakeFirstOrThrow();
    const [small, large] = [await fillBacklog(trx, user.id, sizes.small), await fillBacklog(trx, user.id, sizes.large)];
    const claimBut = (other: string) => async () => {
      const rooms = { webhooks: new Map([[other, 0]]), accounts: new Map<string, number>() };
      await claimDue(trx, { holder, room: { webhook: 500, account: 4_000 }, rooms, limit: 500 });
      await releaseAll(trx, holder, []);
    };
    measured = await inTurns(claimBut(small), claimBut(large));
    throw undone;
  });
  await measuring.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  if (!measured) throw new Error('nothing was measured');
  return rowOf('claim of the next delivery in order', sizes, measured);
}

/** Alternates the two, so that other work of the machine affects both. */
async function inTurns(large: () => Promise<unknown>, small: () => Promise<unknown>): Promise<Measured> {
  const took: Record<'large' | 'small', number[]> = { large: [], small: [] };
  for (let turn = -5; turn < repeats; turn++) {
    for (const [which, work] of [
      ['large', large],
      ['small', small],
    ] as const) {
      const begun = performance.now();
      await work();
      // The first few are for warm-up.
      if (turn >= 0) took[which].push(performance.now() - begun);
    }
  }
  const [ours, other] = [figuresOf(took.large), figuresOf(took.small)];
  return { ours, other, ratio: ours.perSecond / other.perSecond };
}

const rowOf = (what: string, { small, large }: Sizes, measured: Measured): Row =>
  row(`${what}, of ${large.toLocaleString('en')}`, `of ${small.toLocaleString('en')}`, goal, measured);
