import { createHash } from 'node:crypto';
import type pg from 'pg';
import { beginSnapshot, readFacts, readSequences, settle, streamOut } from './dump.sql.ts';
import type { BackupEnd, Manifest, TableEnd, TableStart } from './manifest.ts';
import type { BackupRecord } from './records.ts';
import { copyJobsOut, copyOut, jobsTable, listTables, type Table } from './tables.sql.ts';

export type Told = { tables: number; rows: number; bytes: number };
export type Progress = (soFar: Told & { table: string }) => void;

type Options = { version: string; secretKey: Buffer | null; progress: Progress };

/** Everything that the database holds, as it is at one moment. The snapshot ends with the connection, however far it came. */
export async function* dumpDatabase(client: pg.ClientBase, options: Options): AsyncGenerator<BackupRecord> {
  await beginSnapshot(client);
  const facts = await readFacts(client);
  yield {
    said: {
      what: 'manifest',
      version: options.version,
      made_at: new Date().toISOString(),
      migrations: facts.migrations,
      postgres: facts.postgres,
      secret_key_check: facts.check?.toString('base64') ?? null,
      ...(options.secretKey && { secret_key: options.secretKey.toString('base64') }),
    } satisfies Manifest,
  };
  const told = { tables: 0, rows: 0, bytes: 0 };
  const parts = [
    ...(await listTables(client)).map((table) => ({ table, statement: copyOut(table) })),
    { table: jobsTable, statement: copyJobsOut },
  ];
  for (const part of parts) yield* dumpTable(client, part, told, options.progress);
  const sequences = await readSequences(client);
  yield { said: { what: 'end', tables: told.tables, rows: told.rows, sequences } satisfies BackupEnd };
}

type Part = { table: Table; statement: string };

async function* dumpTable(
  client: pg.ClientBase,
  { table, statement }: Part,
  told: Told,
  progress: Progress,
): AsyncGenerator<BackupRecord> {
  yield { said: { what: 'table', ...table } satisfies TableStart };
  const stream = streamOut(client, statement);
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const data of stream) {
    digest.update(data);
    bytes += data.length;
    told.bytes += data.length;
    progress({ ...told, table: table.name });
    yield { data };
  }
  await settle(client);
  told.tables += 1;
  told.rows += stream.rowCount;
  progress({ ...told, table: table.name });
  yield { said: { what: 'table end', rows: stream.rowCount, bytes, sha256: digest.digest('hex') } satisfies TableEnd };
}
