import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, openDb, openPool } from '../../apps/server/src/foundation/db/pool.ts';
import { bucketLows } from '../../apps/server/src/webhooks/response-histogram.ts';
import { type Figures, figuresOf, median, medianOf } from './measure.ts';
import type { Row } from './report.ts';
import { send } from './send.ts';
import { startServer } from './start-server.ts';
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
      await statsOfMany(bench),
    ];
  } finally {
    await Promise.all([receiver.stop(), sender.stop(), pool.end()]);
  }
}

/** From the first commit to the last outcome that is stored, against a loop that only signs and posts. */
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
    goal: '≥ 0.4',
    ours: { perSecond: one, p50: 0, p99: 0 },
    other: { perSecond: other, p50: 0, p99: 0 },
    ratio: one / other,
  };
}

/** 200 changes a second by the API, each of a project with a webhook of its own, with ten endpoints that hang and without. */
async function withHangingEndpoints(bench: Bench): Promise<Row> {
  const figures: Record<'calm' | 'hanging', Figures[]> = { calm: [], hanging: [] };
  for (let round = 0; round < rounds; round++) {
    figures.calm.push(await arrivals(bench, 0));
    figures.hanging.push(await arrivals(bench, 10));
  }
  const p99 = (round: Figures) => round.p99;
  const [ours, other] = [medianOf(figures.hanging, p99), medianOf(figures.calm, p99)];
  return {
    what: 'From the event to its arrival, 200 a second, 10 of 200 endpoints hang',
    against: 'the same, none of them hangs',
    goal: 'p99 ≤ 2 ×',
    ours,
    other,
    ratio: ours.p99 / other.p99,
  };
}

async function arrivals(bench: Bench, hanging: number): Promise<Figures> {
  const { bottega, receiver, user, db, quick } = bench;
  const urls = Array.from({ length: 200 }, (_, index) => `${receiver}${index < hanging ? '/hang' : '/hook'}`);
  const projects = await webhooksOn(bench, urls);
  await arrivedAt(receiver);
  const times = quick ? 1_000 : 3_000;
  const perSecond = 200;
  const begun = performance.now();
  const changes = new Set<Promise<unknown>>();
  for (let count = 0; count < times; count++) {
    const wait = begun + (count * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    const path = `/projects/${projects[count % projects.length]}`;
    // A machine that cannot keep up gets fewer at once, not a queue that grows.
    if (changes.size >= 64) await Promise.race(changes);
    const change = send({ bottega, key: user.key }, 'PATCH', path, { description: `change ${count}` }).finally(() =>
      changes.delete(change),
    );
    changes.add(change);
  }
  await Promise.all(changes);
  const expected = Math.floor((times * (200 - hanging)) / 200);
  let arrived = { count: 0, lags: [] as number[] };
  while (arrived.count < expected) {
    await delay(50);
    const { count, lags } = await arrivedAt(receiver);
    arrived = { count: arrived.count + count, lags: [...arrived.lags, ...lags] };
  }
  await dropWebhooks(db);
  const { p50, p99 } = figuresOf(arrived.lags);
  process.stdout.write(`  arrivals, ${hanging} hang: p50 ${p50} ms, p99 ${p99} ms\n`);
  return { perSecond, p50, p99 };
}

/** The month of one webhook, from the hourly figures; against the same from the deliveries themselves. */
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
