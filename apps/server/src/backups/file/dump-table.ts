import { createHash } from 'node:crypto';
import type { TableEnd, TableStart } from './manifest.ts';
import type { BackupRecord } from './records.ts';

export type Told = { tables: number; rows: number; bytes: number };
export type Progress = (soFar: Told & { table: string }) => void;

type Part = {
  table: { name: string; columns: string[] };
  data: AsyncIterable<Buffer>;
  /** Called after all data was read. */
  countRows: () => Promise<number>;
};

/**
 * Yields the records of one table, with the checksum and counts by which a reader can check it. Adds the counts to the
 * totals in `told`.
 */
export async function* dumpTable(
  { table, data: source, countRows }: Part,
  told: Told,
  progress: Progress,
): AsyncGenerator<BackupRecord> {
  yield { metadata: { what: 'table', ...table } satisfies TableStart };
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const data of source) {
    digest.update(data);
    bytes += data.length;
    told.bytes += data.length;
    progress({ ...told, table: table.name });
    yield { data };
  }
  const rows = await countRows();
  told.tables += 1;
  told.rows += rows;
  progress({ ...told, table: table.name });
  yield { metadata: { what: 'table end', rows, bytes, sha256: digest.digest('hex') } satisfies TableEnd };
}
