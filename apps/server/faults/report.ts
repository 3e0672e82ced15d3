import { cpus } from 'node:os';
import type { Audit } from './auditor/index.ts';
import type { Outcome } from './run.ts';

/** Descriptions of what went wrong; empty if all is well. */
export function complaintsOf(findings: Audit['findings']): string[] {
  return findings.flatMap(({ rule, found }) => [
    `BROKEN: ${rule} (${found.length})`,
    ...found.slice(0, 10).map((one) => `    ${one}`),
  ]);
}

export function lineOf({ name, seconds, injected, audit }: Outcome): string {
  const { counts, findings, duplicates, refusals } = audit;
  const slowest = Math.max(0, ...injected.map(({ recoveredMs }) => recoveredMs));
  const broken = findings.reduce((sum, { found }) => sum + found.length, 0);
  return (
    `${name}: ${counts.creates} projects, ${counts.writes} writes, ${counts.durable} durable edits, ` +
    `${counts.deployments} deployments, ${counts.events} events; ${broken} broken, ${duplicates.length} duplicates${duplicates.length > 0 ? ` (${[...new Set(duplicates)].join('; ')})` : ''}; ` +
    `recovered in ${Math.round(slowest)} ms; silent for ${Math.round(audit.silenceMs)} ms at most; at rest after ${restOf(audit)}; ` +
    `${Math.round(seconds)} s in all; refused: ${wordsOf(refusals)}`
  );
}

/** The kind of work that finished last. */
export function restOf({ settled }: Audit): string {
  const [last] = Object.entries(settled).sort(([, one], [, other]) => other - one);
  return last ? `${Math.round(last[1] / 1_000)} s (${last[0]})` : '0 s';
}

const wordsOf = (refusals: ReadonlyMap<string, number>): string =>
  [...refusals].map(([what, times]) => `${times} × ${what}`).join(', ') || 'nothing';

const header = `| run | acknowledged: projects · writes · durable edits · deployments · events | broken | duplicate deliveries | applied-only edits gone | slowest recovery | longest silence | at rest after | refusals that clients saw |
|---|---|---|---|---|---|---|---|---|`;

function rowOf({ name, injected, audit }: Outcome): string {
  const { creates, writes, durable, deployments, events } = audit.counts;
  const slowest = Math.max(0, ...injected.map(({ recoveredMs }) => recoveredMs));
  const cells = [
    injected.length > 1 ? `${name}, ${injected.length} faults` : name,
    [creates, writes, durable, deployments, events].map((count) => count.toLocaleString('en')).join(' · '),
    audit.findings.map(({ rule, found }) => `${found.length}: ${rule}`).join('; ') || '0',
    String(audit.duplicates.length),
    String(audit.appliedOnly),
    `${(slowest / 1_000).toFixed(1)} s`,
    `${(audit.silenceMs / 1_000).toFixed(1)} s`,
    restOf(audit),
    wordsOf(audit.refusals),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The whole report page. */
export const pageOf = (outcomes: readonly Outcome[]): string => `# Faults

Written by \`npm run test:faults -- --report …\` on ${cpus().length} cores. Three nodes and two workers use one PostgreSQL through PgBouncer, and Redis. Clients record every acknowledgement,
and an auditor checks the data. [README.md](README.md) describes the faults and what counts as broken. Recovery is the time from the end of a fault until every node and
worker is ready and every node has acknowledged a write. Killed nodes are started again before the fault ends. The longest silence is the longest time without an
acknowledged write.

${header}
${outcomes.map(rowOf).join('\n')}
`;
