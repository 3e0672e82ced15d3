import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { BackupError, type BackupRecord, type Progress, readBackup, type TableStart, type Told } from './file/index.ts';
import * as rows from './load.sql.ts';
import { copyIn, jobsTable, listTables, type Table } from './tables.sql.ts';

type Options = { records: AsyncGenerator<BackupRecord>; migrations: readonly string[]; progress: Progress };

/** Fills the tables of an empty database that has the migrations of the backup. Either all rows are loaded, or none. */
export async function loadDatabase(client: pg.ClientBase, { records, migrations, progress }: Options): Promise<void> {
  await rows.beginLoad(client);
  try {
    const tables = await listTables(client, migrations);
    const foreignKeys = await rows.dropForeignKeys(client, tables);
    await rows.setTriggers(client, tables, 'disable');
    await rows.emptyTables(client, tables);
    await rows.createJobsTable(client);
    const told = { tables: 0, rows: 0, bytes: 0 };
    await readBackup(records, {
      begin: async () => undefined,
      async table(start, data) {
        const counted = rows.streamIn(client, statementFor(tables, start));
        await pipeline(
          passing(data, told, () => progress({ ...told, table: start.name })),
          counted,
        );
        told.tables += 1;
        told.rows += counted.rowCount;
        return counted.rowCount;
      },
      async end({ sequences }) {
        for (const [name, value] of Object.entries(sequences)) await rows.setSequence(client, name, value);
      },
    });
    progress({ ...told, table: 'references between tables' });
    await rows.addJobs(client);
    await rows.setTriggers(client, tables, 'enable');
    await rows.addForeignKeys(client, foreignKeys);
    await rows.commitLoad(client);
  } catch (error) {
    await rows.abandonLoad(client).catch(() => undefined);
    throw error;
  }
}

async function* passing(data: AsyncIterable<Buffer>, told: Told, tell: () => void): AsyncGenerator<Buffer> {
  for await (const piece of data) {
    told.bytes += piece.length;
    tell();
    yield piece;
  }
}

/**
 * The statement that loads a table. Names of tables and columns from the file become part of the statement only if the
 * schema has them.
 */
function statementFor(tables: Table[], { name, columns }: TableStart): string {
  if (name === jobsTable.name) return rows.copyJobsIn;
  const known = tables.find((table) => table.name === name);
  const isKnown = known && Array.isArray(columns) && columns.every((column) => known.columns.includes(column));
  if (!isKnown) throw new BackupError(`The backup contains a table that is unknown to this version: ${String(name)}.`);
  return copyIn({ name, columns });
}
