import { hooks, type Load } from '../clients/index.ts';
import type { Kind } from '../clients/ledger.ts';
import { pause } from '../clients/writers.ts';
import type { Site } from '../cluster/index.ts';
import { type Evidence, gather } from './evidence.ts';
import { rules } from './rules.ts';
import { countUnfinished } from './tables.sql.ts';

export type Finding = { rule: string; found: string[] };

export type Audit = {
  findings: Finding[];
  /** How much was checked against the rules. */
  counts: { creates: number; writes: number; durable: number; applied: number; events: number; deployments: number };
  /** Repeated deliveries, each with its attempt numbers: "1, 2" was taken for a failure, "1, 1" for unsent. */
  duplicates: string[];
  /** Edits that were acknowledged as applied but never as durable, and are lost: documented. */
  appliedOnly: number;
  /** The longest time without any acknowledged write, in milliseconds. */
  silenceMs: number;
  refusals: Map<string, number>;
  /** Time from the last client's end until nothing of a kind was under way, in milliseconds. */
  settled: Record<string, number>;
};

/** A backlog may take long, as long as it makes progress. */
const settlePatienceMs = 60_000;

/** Waits until nothing is under way, and checks everything against the rules. */
export async function audit(cluster: Site, load: Load): Promise<Audit> {
  const settled = await settle(cluster);
  const evidence = await gather(cluster, load);
  const broken = Object.entries(rules).map(([rule, check]) => ({ rule, found: check(evidence) }));
  const rows = evidence.rows.map(({ sentence, found }) => ({ rule: `it is not so that ${sentence}`, found }));
  return {
    findings: [...broken, ...rows].filter(({ found }) => found.length > 0),
    counts: countsOf(evidence),
    duplicates: duplicatesIn(evidence),
    appliedOnly: appliedOnlyIn(evidence),
    silenceMs: silenceIn(evidence),
    refusals: evidence.ledger.refusals,
    settled,
  };
}

/** Work that makes no progress is found by the rules, each item by its name. */
async function settle(cluster: Site): Promise<Record<string, number>> {
  const begun = performance.now();
  const settled: Record<string, number> = {};
  let fewest = Number.POSITIVE_INFINITY;
  let fewestAt = begun;
  for (let left = fewest; left > 0 && performance.now() - fewestAt < settlePatienceMs; await pause(100)) {
    const { events = 0, ...unfinished } = await countUnfinished(cluster);
    const arrived = new Set(cluster.receiver.arrivals.map(({ path, eventId }) => `${path} ${eventId}`)).size;
    const missing = Math.max(0, events * Object.keys(hooks).length - arrived);
    const counts = Object.entries({ ...unfinished, arrivals: missing });
    for (const [what, count] of counts) if (count > 0) settled[what] = performance.now() - begun;
    left = counts.reduce((sum, [, count]) => sum + count, 0);
    if (left < fewest) [fewest, fewestAt] = [left, performance.now()];
  }
  return settled;
}

function countsOf({ ledger, events }: Evidence): Audit['counts'] {
  const done = (...of: Kind[]) => ledger.attempts.filter(({ kind, id }) => id !== null && of.includes(kind)).length;
  return {
    creates: done('create'),
    writes: done('put', 'commit', 'push', 'merge'),
    durable: ledger.edits.filter(({ durable }) => durable).length,
    applied: ledger.edits.filter(({ applied }) => applied).length,
    events: events.length,
    deployments: done('deployment'),
  };
}

function duplicatesIn({ arrivals }: Evidence): string[] {
  const attempts = new Map<string, number[]>();
  for (const { path, eventId, body } of arrivals) {
    const key = `${path} ${eventId}`;
    attempts.set(key, [...(attempts.get(key) ?? []), body.delivery_attempt]);
  }
  return [...attempts.values()].filter(({ length }) => length > 1).map((numbers) => numbers.join(', '));
}

const appliedOnlyIn = ({ ledger, texts }: Evidence): number =>
  ledger.edits.filter(
    ({ applied, durable, path, token }) =>
      applied && !durable && !texts.find((one) => one.path === path)?.text.includes(token),
  ).length;

function silenceIn({ ledger }: Evidence): number {
  const times = ledger.attempts.flatMap(({ acknowledgedAt }) => acknowledgedAt ?? []).sort((one, other) => one - other);
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0);
}
