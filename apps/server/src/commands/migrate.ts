import { parseArgs } from 'node:util';
import type { Config } from '../foundation/config/index.ts';
import { createLogger } from '../foundation/http/logging.ts';
import { migrateDatabase, openDatabase } from './open-database.ts';

export async function migrateCommand(config: Config, args: string[]): Promise<void> {
  parseArgs({ args, options: {} });
  const database = await openDatabase({
    config,
    // The standard output is for the result.
    log: createLogger('warn', process.stderr),
    holder: 'command',
    description: `bottega migrate (pid ${process.pid})`,
  });
  try {
    const applied = await migrateDatabase(database);
    const summary = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    process.stdout.write(`${summary}\n`);
  } finally {
    await database.close();
  }
}
