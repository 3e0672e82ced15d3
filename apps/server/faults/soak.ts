import { readdirSync, readFileSync } from 'node:fs';
import { audit } from './auditor/index.ts';
import { readBloat, readOldestDelivery } from './auditor/tables.sql.ts';
import { type Load, startLoad } from './clients/index.ts';
import { pause } from './clients/writers.ts';
import { type Cluster, startCluster } from './cluster/index.ts';
import { percentile, slopeOf } from './measure.ts';
import { seeded } from './random.ts';
import { restOf } from './report.ts';

type Options = { minutes: number; seed: number; say(line: string): void };

/** One minute in figures, the same for every minute. */
type Figures = Record<
  'operations' | 'p99 of a write, ms' | 'RSS of all, MB' | 'most RSS, MB' | 'descriptors' | 'dead rows' | 'size, MB',
  number
> & { 'oldest delivery, s': number };

const minuteMs = 60_000;

/** Load without faults: what grows, and by how much a minute. */
export async function soak({ minutes, seed, say }: Options): Promise<boolean> {
  const cluster = await startCluster({ nodes: 3, workers: 2 });
  let load: Load | undefined;
  try {
    load = await startLoad(cluster, seeded(seed));
    const all: Figures[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      const since = performance.now();
      await pause(minuteMs);
      const figures = await figuresOf(cluster, load, since);
      all.push(figures);
      say(`minute ${minute}: ${wordsOf(figures)}`);
    }
    for (const name of Object.keys(all[0] ?? {}) as (keyof Figures)[]) {
      // The first minutes fill caches.
      const later = all.slice(Math.min(3, all.length - 1)).map((figures) => figures[name]);
      say(`slope of ${name}: ${slopeOf(later).toFixed(2)} a minute`);
    }
    say(`the largest tables: ${(await readBloat(cluster)).largest}`);
    await load.finish();
    const audited = await audit(cluster, load);
    const { findings, duplicates } = audited;
    say(`at rest after ${restOf(audited)}; ${duplicates.length} duplicate deliveries`);
    for (const { rule, found } of findings) say(`BROKEN: ${rule} (${found.length}): ${found.slice(0, 3).join('; ')}`);
    return findings.length === 0;
  } finally {
    load?.abandon();
    await cluster.stop();
  }
}

async function figuresOf(cluster: Cluster, { ledger }: Load, since: number): Promise<Figures> {
  const done = ledger.attempts.filter(({ acknowledgedAt }) => (acknowledgedAt ?? 0) > since);
  const puts = done.filter(({ kind }) => kind === 'put').map((one) => (one.acknowledgedAt ?? 0) - one.startedAt);
  const memory = [...cluster.nodes, ...cluster.workers].map((node) => residentMegabytes(node.pid()));
  const open = [...cluster.nodes, ...cluster.workers].map((node) => readdirSync(`/proc/${node.pid()}/fd`).length);
  const { dead, megabytes } = await readBloat(cluster);
  return {
    operations: done.length,
    'p99 of a write, ms': percentile(puts, 0.99),
    'RSS of all, MB': memory.reduce((sum, one) => sum + one, 0),
    'most RSS, MB': Math.max(...memory),
    descriptors: open.reduce((sum, one) => sum + one, 0),
    'dead rows': dead,
    'size, MB': megabytes,
    'oldest delivery, s': await readOldestDelivery(cluster),
  };
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const wordsOf = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(' · ');
