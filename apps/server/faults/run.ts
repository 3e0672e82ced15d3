import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../src/testing/parts/wait-for.ts';
import { type Audit, audit } from './auditor/index.ts';
import { type Load, startLoad } from './clients/index.ts';
import type { Ledger } from './clients/ledger.ts';
import { pause } from './clients/writers.ts';
import type { Cluster, Site } from './cluster/index.ts';
import { type Fault, faults } from './injection/index.ts';
import { type Random, seeded } from './random.ts';
import { recovery } from './recovery.ts';

export type Injected = { fault: string; recoveredMs: number };
export type Outcome = { name: string; injected: Injected[]; seconds: number; audit: Audit };

export type RunOptions<Where extends Site = Cluster> = {
  name: string;
  seed: number;
  /** Faults in order, each healed before the next. */
  plan: readonly Fault<Where>[];
  /**
   * Time that the clients work undisturbed before the first fault, between two, and after the last, in milliseconds.
   */
  peaceMs: number;
  start(): Promise<Where>;
  say(line: string): void;
  /** A directory for the output of the cluster's programs. */
  logs?: string | undefined;
};

/**
 * Runs a cluster or one machine, clients that record every acknowledgement, one fault after the other, and the audit.
 */
export async function run<Where extends Site>(options: RunOptions<Where>): Promise<Outcome> {
  const begun = performance.now();
  const cluster = await options.start();
  const injected: Injected[] = [];
  let load: Load | undefined;
  try {
    const random = seeded(options.seed);
    load = await startLoad(cluster, random);
    await pause(options.peaceMs);
    for (const fault of options.plan) {
      const recoveredMs = await injectOne(fault, { cluster, load, random, say: options.say });
      injected.push({ fault: fault.name, recoveredMs });
      await pause(options.peaceMs);
    }
    await waitFor('every kind of client was told of something', () => hasSomethingOfEach(load?.ledger));
    await load.finish();
    const audited = await audit(cluster, load);
    return { name: options.name, injected, seconds: (performance.now() - begun) / 1_000, audit: audited };
  } finally {
    load?.abandon();
    if (options.logs) await keepLogs(cluster, options.logs);
    await cluster.stop();
  }
}

/** Even a short run has to have something to audit. */
const hasSomethingOfEach = (ledger: Ledger | undefined): boolean =>
  ledger !== undefined &&
  (['put', 'create', 'deployment'] as const).every((kind) =>
    ledger.attempts.some((one) => one.kind === kind && one.id !== null),
  ) &&
  ledger.edits.some(({ durable }) => durable);

type Scene<Where> = { cluster: Where; load: Load; random: Random; say(line: string): void };

async function injectOne<Where extends Site>(
  fault: Fault<Where>,
  { cluster, load, random, say }: Scene<Where>,
): Promise<number> {
  say(`  ${fault.name}${fault.seconds > 0 ? `, ${fault.seconds} s` : ''} …`);
  const heal = await fault.inject({ cluster, ground: load.ground, random });
  await pause(fault.seconds * 1_000);
  await heal();
  const recoveredMs = await recovery(cluster, load);
  say(`  ${fault.name}: all nodes write again ${Math.round(recoveredMs)} ms after it was over`);
  return recoveredMs;
}

/** As many faults as fit into the minutes, in an order that depends on the seed; each occurs before any is repeated. */
export function planOf(seed: number, minutes: number, among: readonly Fault[] = faults): Fault[] {
  const random = seeded(seed);
  const plan: Fault[] = [];
  let seconds = 0;
  for (;;) {
    for (const fault of random.shuffled(among)) {
      // Some seconds for recovery and undisturbed work.
      seconds += fault.seconds + 10;
      if (seconds > minutes * 60) return plan;
      plan.push(fault);
    }
  }
}

async function keepLogs({ dir }: Site, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const file of await readdir(dir)) if (file.endsWith('.log')) await copyFile(join(dir, file), join(to, file));
}
