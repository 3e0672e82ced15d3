import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import type { Figures, Measured } from './measure.ts';

export type Row = Measured & { what: string; against: string; goal: string };

/** The table as text; written to bench/results.md where asked. */
export async function report(
  rows: Row[],
  { write, sizes, sections }: { write: boolean; sizes: { large: number; total: number }; sections: string[] },
): Promise<string> {
  const lines = [
    '| what | ours | measured against | that | ratio | goal |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.what} | ${figures(row.ours)} | ${row.against} | ${figures(row.other)} | ${row.ratio > 0 ? row.ratio.toFixed(2) : '–'} | ${row.goal} |`,
    ),
  ];
  const table = [...(rows.length > 0 ? [lines.join('\n')] : []), ...sections].join('\n\n');
  if (write) {
    const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
    const text = [
      '# Benchmark results',
      '',
      `${new Date().toISOString().slice(0, 10)}, on ${machine}. Written by \`npm run bench\`.`,
      '',
      `${sizes.total.toLocaleString('en')} projects in all. Both sides of a row are measured in turns within one run, with the load`,
      'generator and PostgreSQL on the same machine: the ratio is what counts, not the requests per second.',
      '',
      table,
      '',
    ];
    await writeFile(new URL('../results.md', import.meta.url), text.join('\n'));
  }
  return table;
}

/** Where only the whole was timed, there are no percentiles. */
const figures = ({ perSecond, p50, p99, text }: Figures): string =>
  text ??
  `${perSecond < 10 ? perSecond.toFixed(2) : Math.round(perSecond)}/s${p50 > 0 ? `, p50 ${p50} ms, p99 ${p99} ms` : ''}`;
