import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { type Audit, audit } from './auditor/index.ts';
import { readBloat, readOldestDelivery } from './auditor/tables.sql.ts';
import { type Load, startLoad } from './clients/index.ts';
import { pause } from './clients/writers.ts';
import { type Cluster, startCluster } from './cluster/index.ts';
import { percentile, slopeOf } from './measure.ts';
import { seeded } from './random.ts';
import { complaintsOf, restOf } from './report.ts';

type Options = { minutes: number; seed: number; report: string | undefined; say(line: string): void };

/** The figures of one minute. */
type Figures = Record<
  'operations' | 'p99 of a write, ms' | 'RSS of all, MB' | 'most RSS, MB' | 'descriptors' | 'dead rows' | 'size, MB',
  number
> & { 'oldest delivery, s': number };

const minuteMs = 60_000;
/** Oldest waiting delivery, in seconds. A user who waits longer would ask whether it was lost. */
const oldestDelivery = 60;

/** Load without faults: measures what grows, and by how much a minute. */
export async function soak({ minutes, seed, report, say }: Options): Promise<boolean> {
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
    for (const [span, slopes] of Object.entries(slopesOf(all))) {
      for (const [name, slope] of slopes) say(`slope ${span}, ${name}: ${slope.toFixed(2)} a minute`);
    }
    const { largest } = await readBloat(cluster);
    say(`the largest tables: ${largest}`);
    const late = all.at(-1)?.['oldest delivery, s'] ?? 0;
    await load.finish();
    const audited = await audit(cluster, load);
    const complaints = complaintsOf(audited.findings);
    if (late > oldestDelivery) complaints.push(`BROKEN: a delivery was ${Math.round(late)} s old at the end`);
    for (const line of [endOf(audited), ...complaints]) say(line);
    if (report) await writeFile(report, pageOf({ all, largest, audited, complaints }));
    return complaints.length === 0;
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

/** The first minutes fill caches, so they are left out. What still rises long after that shows at the end. */
const slopesOf = (all: readonly Figures[]): Record<string, [string, number][]> => {
  const slopes = (figures: readonly Figures[]): [string, number][] =>
    (Object.keys(all[0] ?? {}) as (keyof Figures)[]).map((name) => [name, slopeOf(figures.map((one) => one[name]))]);
  return {
    'after 3 minutes': slopes(all.slice(Math.min(3, all.length - 1))),
    'of the last third': slopes(all.slice(-Math.max(2, Math.ceil(all.length / 3)))),
  };
};

const endOf = (audited: Audit): string =>
  `at rest after ${restOf(audited)}; ${audited.duplicates.length} duplicate deliveries`;

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

const wordsOf = (figures: Figures): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(' · ');

type Soaked = { all: readonly Figures[]; largest: string; audited: Audit; complaints: readonly string[] };

/** The whole report page. */
function pageOf({ all, largest, audited, complaints }: Soaked): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const { creates, writes, durable, deployments, events } = audited.counts;
  return `# Soak

Written by \`npm run test:faults -- --soak ${all.length} --report …\` on ${cpus().length} cores. Three nodes and two workers use one PostgreSQL through PgBouncer, and Redis. They run under
the same load as in the fault runs, but without faults. RSS and descriptors cover the five processes. Slopes are per minute.

${line(['minute', ...Object.keys(all[0] ?? {})])}
${line(Array.from({ length: Object.keys(all[0] ?? {}).length + 1 }, () => '---'))}
${all.map((figures, index) => line([index + 1, ...Object.values(figures).map(Math.round)])).join('\n')}
${Object.entries(slopesOf(all))
  .map(([span, slopes]) => line([`slope ${span}`, ...slopes.map(([, slope]) => slope.toFixed(2))]))
  .join('\n')}

The largest tables: ${largest}.

Acknowledged: ${creates} projects, ${writes} writes, ${durable} durable edits, ${deployments} deployments, ${events} events; ${endOf(audited)}. ${complaints.join(' ') || 'Nothing was lost, invented or left behind.'}
`;
}
