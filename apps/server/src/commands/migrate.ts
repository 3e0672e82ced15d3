import { parseArgs } from 'node:util';
import type { Config } from '../foundation/config/index.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

export async function migrateCommand(config: Config, args: string[]): Promise<void> {
  parseArgs({ args, options: {} });
  const database = await openForCommand(config, 'migrate');
  try {
    const applied = await migrateDatabase(database);
    const summary = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    process.stdout.write(`${summary}\n`);
  } finally {
    await database.close();
  }
}
