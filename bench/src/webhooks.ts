import { sql } from 'kysely';
import { type Db, openDb, openPool } from '../../apps/server/src/foundation/db/pool.ts';
import { bucketLows } from '../../apps/server/src/webhooks/delivery/response-histogram.ts';
import { type Figures, figuresOf, median } from './measure.ts';
import type { Row } from './report.ts';
import { startServer } from './start-server.ts';
import { acrossNodes, withHangingEndpoints } from './webhook-arrivals.ts';
import {
  arrivedAt,
  type Bench,
  bareSender,
  type Context,
  completed,
  dropWebhooks,
  makeEvents,
  untilCompleted,
  webhooksOn,
} from './webhook-load.ts';
import { deliveriesInOrder } from './webhooks-in-order.ts';

const rounds = 3;

export async function measureWebhooks(context: Context): Promise<Row[]> {
  const pool = openPool(context.connection, { max: 4, onIdleError: () => undefined });
  const receiver = await startServer('webhook-receiver-server.ts', context.connection);
  const sender = await startServer('bare-sender-server.ts', context.connection);
  const bench = { ...context, db: openDb(pool), receiver: receiver.url, sender: sender.url };
  try {
    return [
      await deliveriesPerSecond(bench),
      ...(await deliveriesInOrder(bench)),
      await withHangingEndpoints(bench),
      await acrossNodes(bench),
      await statsOfMany(bench),
    ];
  } finally {
    await Promise.all([receiver.stop(), sender.stop(), pool.end()]);
  }
}

/** From the first commit to the last stored outcome, compared with a loop that only signs and posts. */
async function deliveriesPerSecond(bench: Bench): Promise<Row> {
  const { db, receiver, quick } = bench;
  const times = quick ? 4_000 : 20_000;
  const projects = await webhooksOn(
    bench,
    Array.from({ length: 20 }, () => `${receiver}/hook`),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const before = await completed(db);
    const begun = performance.now();
    await makeEvents(bench, projects, times);
    await untilCompleted(db, before + times);
    const mine = (performance.now() - begun) / 1000;
    const { count } = await arrivedAt(receiver);
    if (count !== times) throw new Error(`${count} of ${times} deliveries arrived`);
    const perSecond = await bareSender(bench, '/hook', times, 64);
    await arrivedAt(receiver);
    process.stdout.write(`  deliveries: ${Math.round(times / mine)}/s against ${Math.round(perSecond)}/s\n`);
    if (round < 0) continue;
    ours.push(times / mine);
    theirs.push(perSecond);
    await db.deleteFrom('webhook_deliveries').execute();
  }
  await dropWebhooks(db);
  const [one, other] = [median(ours), median(theirs)];
  return {
    what: 'Deliveries, from commit to stored outcome',
    against: 'a loop that signs and posts from memory',
    goal: '≥ 0.5',
    ours: { perSecond: one, p50: 0, p99: 0 },
    other: { perSecond: other, p50: 0, p99: 0 },
    ratio: one / other,
  };
}

/** The month of one webhook from the hourly figures, compared with the same from the deliveries themselves. */
async function statsOfMany({ db, user, bottega, quick }: Bench): Promise<Row> {
  const count = quick ? 100_000 : 1_000_000;
  const [project] = await webhooksOn({ db, user, bottega }, ['https://hooks.example.com/']);
  const { id } = await db
    .selectFrom('webhooks')
    .select('id')
    .where('project_id', '=', project ?? '')
    .executeTakeFirstOrThrow();
  await storeHistory(db, id, count);
  const headers = { authorization: `Bearer ${user.key}` };
  const ours = await timesOf(50, async () => {
    const answer = await fetch(`${bottega}/api/webhooks/${id}/stats?period=month`, { headers });
    const { overall_stats: overall } = (await answer.json()) as { overall_stats: { total_deliveries: number } };
    if (overall.total_deliveries < count * 0.99)
      throw new Error(`${overall.total_deliveries} of ${count} were counted`);
  });
  const other = await timesOf(5, () =>
    sql`
      select event_type, date_trunc('day', created_at), status, count(*), avg(response_time),
        percentile_cont(array[0.5, 0.95]) within group (order by response_time)
      from webhook_deliveries where webhook_id = ${id} and created_at > now() - interval '30 days'
      group by 1, 2, 3`.execute(db),
  );
  await db.deleteFrom('webhooks').execute();
  const ratio = ours.perSecond / other.perSecond;
  process.stdout.write(`  stats of ${count}: p50 ${ours.p50} ms, p99 ${ours.p99} ms\n`);
  const what = `Stats of a month with ${count.toLocaleString('en')} deliveries`;
  return { what, against: 'the same from the deliveries', goal: 'p99 < 100 ms', ours, other, ratio };
}

async function storeHistory(db: Db, id: string, count: number): Promise<void> {
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, attempts, response_time, created_at)
    select 'dlv_' || lpad(n::text, 26, '0'), ${id}, 'evt_' || lpad(n::text, 26, '0'),
      (array['file.created', 'file.updated', 'file.deleted', 'project.updated'])[1 + n % 4], 'reference', 'event',
      case when n % 20 = 0 then 'failed' else 'success' end, 1, (20 + 400 * random() ^ 4)::integer,
      now() - n * interval '2591000 seconds' / ${count}::integer
    from generate_series(1, ${count}::integer) as n`.execute(db);
  await sql`
    insert into webhook_stats (webhook_id, hour, event_type, status, deliveries, responses, response_ms)
    select webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, status, count(*), count(*), sum(response_time)
    from webhook_deliveries where webhook_id = ${id} group by 1, 2, 3, 4`.execute(db);
  await sql`
    insert into webhook_response_times (webhook_id, hour, bucket, deliveries)
    select webhook_id, date_trunc('hour', created_at, 'UTC'), width_bucket(response_time, ${bucketLows}::integer[]) - 1, count(*)
    from webhook_deliveries where webhook_id = ${id} group by 1, 2, 3`.execute(db);
  await sql`vacuum analyze webhook_deliveries, webhook_stats, webhook_response_times`.execute(db);
}

async function timesOf(times: number, work: () => Promise<unknown>): Promise<Figures> {
  const taken: number[] = [];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return figuresOf(taken);
}
