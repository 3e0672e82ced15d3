import { join } from 'node:path';
import type { Place } from '../backups/index.ts';
import { restoreProject } from '../backups/projects/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { openDb } from '../foundation/db/index.ts';
import { findUserByEmail } from '../identity/users/index.ts';
import { createGitProgram, openGitHome } from '../repository/cache/index.ts';
import { withProgress } from './backup-progress.ts';
import { UsageError } from './command-error.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

type Wanted = { place: Place; passphrase: string | null; ownerEmail: string; asJson: boolean };

/** `bottega restore --project FILE --owner EMAIL`: restores a new project. Works with or without a running service. */
export async function restoreOneProject(config: Config, { asJson, ...wanted }: Wanted): Promise<void> {
  const address = wanted.place.store.addressOf(wanted.place.name);
  const restored = await withProgress(`Restoring ${address}`, () => restoreInto(config, wanted));
  const words = `Restored ${restored.name} as ${restored.id} (branches and tags: ${restored.refs.toLocaleString('en')}), as of ${restored.made_at}. The project is private, and automatic deployment is off.\n`;
  process.stdout.write(asJson ? `${JSON.stringify(restored)}\n` : words);
}

async function restoreInto(config: Config, { ownerEmail, ...source }: Omit<Wanted, 'asJson'>) {
  const database = await openForCommand(config, 'restore');
  const git = createGitProgram({ executablePath: config.executablePath, home: join(config.dataDir, 'cache') });
  try {
    await migrateDatabase(database);
    const db = openDb(database.pool);
    const owner = await findUserByEmail(db, ownerEmail.trim().toLowerCase());
    if (!owner) throw new UsageError(`No user has the address ${ownerEmail}`);
    await openGitHome(git.home);
    const restored = await restoreProject({ db, git, config }, { userId: owner.id, plan: owner.plan }, source);
    return { ...restored, owner: owner.email };
  } finally {
    await git.starter.close();
    await database.close();
  }
}
