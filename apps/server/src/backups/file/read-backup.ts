import { createHash } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import {
  type BackupEnd,
  expectManifest,
  expectMetadata,
  type Manifest,
  type ProjectManifest,
  type TableStart,
} from './manifest.ts';
import type { BackupRecord } from './records.ts';

export type Reader = {
  begin(manifest: Manifest | ProjectManifest): Promise<void>;
  /** Reads `data` to its end. Returns the number of rows, or null if it does not count rows. */
  table(table: TableStart, data: AsyncIterable<Buffer>): Promise<number | null>;
  end(end: BackupEnd): Promise<void>;
};

type Records = AsyncGenerator<BackupRecord>;

/** Reads a backup in order, and throws if anything contradicts its manifest, counts or checksums. */
export async function readBackup(records: Records, reader: Reader): Promise<Whole> {
  try {
    return await readToEnd(records, reader);
  } finally {
    await records.return(undefined);
  }
}

type Whole = { manifest: Manifest | ProjectManifest; end: BackupEnd };

async function readToEnd(records: Records, reader: Reader): Promise<Whole> {
  const manifest = expectManifest(await nextMetadata(records));
  await reader.begin(manifest);
  const totals = { tables: 0, rows: 0 };
  for (;;) {
    const metadata = await nextMetadata(records);
    if ((metadata as BackupEnd | null)?.what === 'end') {
      const end = expectMetadata(metadata, 'end');
      if (end.tables !== totals.tables || end.rows !== totals.rows) throw incomplete('its tables');
      await reader.end(end);
      if (!(await records.next()).done) throw incomplete('its end');
      return { manifest, end };
    }
    totals.rows += await readTable(records, expectMetadata(metadata, 'table'), reader);
    totals.tables += 1;
  }
}

async function readTable(records: Records, table: TableStart, reader: Reader): Promise<number> {
  const digest = createHash('sha256');
  let bytes = 0;
  let after: unknown;
  async function* data() {
    for (;;) {
      const record = await next(records);
      if ('metadata' in record) {
        after = record.metadata;
        return;
      }
      digest.update(record.data);
      bytes += record.data.length;
      yield record.data;
    }
  }
  const counted = await reader.table(table, data());
  const end = expectMetadata(after, 'table end');
  const isSame = end.bytes === bytes && end.sha256 === digest.digest('hex') && (counted ?? end.rows) === end.rows;
  if (!isSame) throw incomplete(`the table ${table.name}`);
  return end.rows;
}

async function next(records: Records): Promise<BackupRecord> {
  const { value, done } = await records.next();
  if (done) throw incomplete('its end');
  return value;
}

async function nextMetadata(records: Records): Promise<unknown> {
  const record = await next(records);
  if ('data' in record) throw incomplete('the order of its parts');
  return record.metadata;
}

const incomplete = (what: string) => new BackupError(`The backup is damaged: ${what} does not match its own records.`);
