import { median } from './measure.ts';
import type { Row } from './report.ts';
import { startServer } from './start-server.ts';
import {
  arrivedAt,
  type Bench,
  bareSender,
  completed,
  dropWebhooks,
  makeEvents,
  untilCompleted,
  webhooksOn,
} from './webhook-load.ts';

const rounds = 3;

/** Compares events of one project to an ordered webhook with a loop that posts one after the other. */
export async function deliveriesInOrder(bench: Bench): Promise<Row[]> {
  const what = 'Deliveries in order, one project';
  // Whole hundreds: events are created a hundred at a time.
  const [times, timesSlow] = bench.quick ? [1_000, 300] : [4_000, 1_000];
  const rows = [
    await compare(bench, { what, path: '/hook', times, goal: '≥ 0.1' }),
    await compare(bench, { what: `${what}, the endpoint takes 20 ms`, path: '/slow', times: timesSlow, goal: '≥ 0.7' }),
  ];
  const other = await startServer('bottega-server.ts', bench.connection);
  try {
    return [...rows, await compare(bench, { what: `${what}, two nodes`, path: '/hook', times, goal: '≥ 0.1' })];
  } finally {
    await other.stop();
  }
}

type Compared = { what: string; path: string; times: number; goal: string };

async function compare(bench: Bench, { what, path, times, goal }: Compared): Promise<Row> {
  const { db, receiver } = bench;
  const projects = await webhooksOn(bench, [`${receiver}${path}`], true);
  const ours: number[] = [];
  const theirs: number[] = [];
  await arrivedAt(receiver);
  for (let round = 0; round < rounds; round++) {
    const before = await completed(db);
    const begun = performance.now();
    await makeEvents(bench, projects, times);
    await untilCompleted(db, before + times);
    ours.push((times * 1000) / (performance.now() - begun));
    const { count } = await arrivedAt(receiver);
    if (count !== times) throw new Error(`${count} of ${times} deliveries arrived`);
    theirs.push(await bareSender(bench, path, times, 1));
    await arrivedAt(receiver);
    process.stdout.write(`  ${what}: ${Math.round(ours.at(-1) ?? 0)}/s against ${Math.round(theirs.at(-1) ?? 0)}/s\n`);
  }
  await db.deleteFrom('webhook_deliveries').execute();
  await dropWebhooks(db);
  const [one, other] = [median(ours), median(theirs)];
  return {
    what,
    against: 'a loop that signs and posts one after the other',
    goal,
    ours: { perSecond: one, p50: 0, p99: 0 },
    other: { perSecond: other, p50: 0, p99: 0 },
    ratio: one / other,
  };
}
