import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import type { Figures, Measured } from './measure.ts';

export type Row = Measured & { what: string; against: string; goal: string };
export const row = (what: string, against: string, goal: string, measured: Measured): Row => ({
  what,
  against,
  goal,
  ...measured,
});

/** The results of one part of the bench, as a table. */
export type Part = { name: string; table: string };

export const tableOf = (rows: Row[]): string =>
  [
    '| what | ours | measured against | that | ratio | goal |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.what} | ${figures(row.ours)} | ${row.against} | ${figures(row.other)} | ${row.ratio > 0 ? row.ratio.toFixed(2) : '–'} | ${row.goal} |`,
    ),
  ].join('\n');

const head = `# Benchmark results

Written by \`npm run bench\`. Each part is from the last run that measured it. Both sides of a row are measured in turns within one
run, with the load generator and PostgreSQL on the same machine. Therefore, compare the ratios, not the requests per second.
`;

/** A run of some parts leaves the others unchanged. */
export async function writeResults(parts: Part[], projects: number): Promise<void> {
  const file = new URL('../results.md', import.meta.url);
  const former = (await readFile(file, 'utf8').catch(() => '')).split(/^## /m).slice(1);
  const sections = new Map(former.map((text) => [text.slice(0, text.indexOf('\n')), text.trimEnd()]));
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
  const about = `${new Date().toISOString().slice(0, 10)}, among ${projects.toLocaleString('en')} projects, on ${machine}.`;
  for (const { name, table } of parts) sections.set(name, `${name}\n\n${about}\n\n${table}`);
  await writeFile(file, [head, ...[...sections.values()].map((text) => `## ${text}\n`)].join('\n'));
}

/** If only the total was timed, there are no percentiles. */
const figures = ({ perSecond, p50, p99, text }: Figures): string =>
  text ??
  `${perSecond < 10 ? perSecond.toFixed(2) : Math.round(perSecond)}/s${p50 > 0 ? `, p50 ${p50} ms, p99 ${p99} ms` : ''}`;
