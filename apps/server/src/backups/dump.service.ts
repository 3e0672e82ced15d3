import type pg from 'pg';
import { beginSnapshot, readFacts, readSequences, settle, streamOut } from './dump.sql.ts';
import { type BackupEnd, type BackupRecord, dumpTable, type Manifest, type Progress } from './file/index.ts';
import { copyJobsOut, copyOut, jobsTable, listTables } from './tables.sql.ts';

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
  for (const { table, statement } of parts) {
    const stream = streamOut(client, statement);
    const countRows = async () => {
      await settle(client);
      return stream.rowCount;
    };
    yield* dumpTable({ table, data: stream, countRows }, told, options.progress);
  }
  const sequences = await readSequences(client);
  yield { said: { what: 'end', tables: told.tables, rows: told.rows, sequences } satisfies BackupEnd };
}
