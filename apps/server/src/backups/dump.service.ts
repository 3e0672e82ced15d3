import type pg from 'pg';
import { beginSnapshot, readFacts, readSequences, settle, streamOut } from './dump.sql.ts';
import { dumpObjects, type ReadObject } from './dump-objects.service.ts';
import { keepObjects } from './dump-objects.sql.ts';
import { type BackupEnd, type BackupRecord, dumpTable, type Manifest, type Progress } from './file/index.ts';
import { copyJobsOut, copyOut, jobsTable, listTables, piecesTable } from './tables.sql.ts';

type Options = { version: string; secretKey: Buffer | null; readObject: ReadObject; progress: Progress };

/**
 * Dumps the whole database as of one moment. The snapshot ends with the connection, even if the dump is not complete.
 */
export async function* dumpDatabase(client: pg.ClientBase, options: Options): AsyncGenerator<BackupRecord> {
  await keepObjects(client);
  await beginSnapshot(client);
  const facts = await readFacts(client);
  yield {
    metadata: {
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
  const tables = await listTables(client, facts.migrations);
  const parts = [
    ...tables.map((table) => ({ table, statement: copyOut(table) })),
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
  const mayHaveObjects = tables.some(({ name, columns }) => name === piecesTable.name && columns.includes('object'));
  const objects = mayHaveObjects ? await dumpObjects(client, options.readObject) : null;
  if (objects) yield* dumpTable({ table: piecesTable, ...objects }, told, options.progress);
  const sequences = await readSequences(client);
  yield { metadata: { what: 'end', tables: told.tables, rows: told.rows, sequences } satisfies BackupEnd };
}
