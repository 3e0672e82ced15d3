import { setTimeout as delay } from 'node:timers/promises';
import { type Figures, figuresOf, medianOf } from './measure.ts';
import type { Row } from './report.ts';
import { send } from './send.ts';
import { startServer } from './start-server.ts';
import { arrivedAt, type Bench, dropWebhooks, webhooksOn } from './webhook-load.ts';

const rounds = 3;
const p99 = (round: Figures) => round.p99;

/**
 * 200 changes a second through the API, each in a project with its own webhook, with and without ten hanging endpoints.
 */
export async function withHangingEndpoints(bench: Bench): Promise<Row> {
  const figures: Record<'calm' | 'hanging', Figures[]> = { calm: [], hanging: [] };
  for (let round = 0; round < rounds; round++) {
    figures.calm.push(await arrivals(bench));
    figures.hanging.push(await arrivals(bench, { hanging: 10 }));
  }
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

/** Compares changes on a node that only answers requests with those on the node that sends. */
export async function acrossNodes(bench: Bench): Promise<Row> {
  const other = await startServer('bottega-server.ts', bench.connection, { BENCH_ROLE: 'api' });
  const figures: Record<'here' | 'elsewhere', Figures[]> = { here: [], elsewhere: [] };
  try {
    await arrivals(bench, { at: other.url });
    for (let round = 0; round < rounds; round++) {
      figures.here.push(await arrivals(bench));
      figures.elsewhere.push(await arrivals(bench, { at: other.url }));
    }
  } finally {
    await other.stop();
  }
  const [ours, same] = [medianOf(figures.elsewhere, p99), medianOf(figures.here, p99)];
  return {
    what: 'From the event to its arrival, 200 a second, made on another node than the one that sends',
    against: 'made on the one that sends',
    goal: 'p99 ≤ 1.5 ×',
    ours,
    other: same,
    ratio: ours.p99 / same.p99,
  };
}

/** Arrival times of changes made at one node, whichever node sends them. */
async function arrivals(bench: Bench, { hanging = 0, at = bench.bottega } = {}): Promise<Figures> {
  const { receiver, user, db, quick } = bench;
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
    // A machine that cannot keep up gets fewer at once, not a growing queue.
    if (changes.size >= 64) await Promise.race(changes);
    const change = send({ bottega: at, key: user.key }, 'PATCH', path, { description: `change ${count}` }).finally(() =>
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
