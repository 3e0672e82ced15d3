import { objectReader } from '../deployments/index.ts';
import type { Config } from '../foundation/config/index.ts';
import { transaction } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import { type ObjectStore, openObjectStore } from '../foundation/objects/index.ts';
import { listAdministrators } from '../identity/users/index.ts';
import { backUp } from './backup.service.ts';
import { noteEnd, noteStart, readLastBackups } from './backups.sql.ts';
import { fileName, isFileName, readPassphrase } from './names.ts';

type Needs = Pick<Ground, 'config' | 'connection' | 'db' | 'mailer'>;

/**
 * Runs the job that creates the scheduled backup. If it throws, the queue retries it a few times. Administrators are
 * notified of the first failure.
 */
export async function makeScheduledBackup({ config, connection, db, mailer }: Needs, version: string): Promise<void> {
  const { directory, keep, passphraseFile } = config.backups;
  const store = openObjectStore(directory, config.s3);
  const name = fileName(new Date());
  const path = store.addressOf(name);
  const id = await noteStart(db, path);
  try {
    await store.deleteUnfinished(isFileName, abandonedMs);
    const passphrase = readPassphrase(passphraseFile);
    const { size } = await backUp(connection, {
      place: { store, name },
      version,
      passphrase,
      secretKey: null,
      readObject: objectReader(config.s3),
      progress: () => undefined,
    });
    await noteEnd(db, id, { size, problem: null });
    await deleteOld(store, keep);
  } catch (error) {
    const { last } = await readLastBackups(db);
    const problem = (error as Error).message;
    await noteEnd(db, id, { size: null, problem });
    if (!last?.problem) await tellAdministrators({ db, mailer }, { path, problem });
    throw error;
  }
}

/**
 * Age after which a partial file counts as left behind by a killed process. Such a file can be as large as a whole
 * backup.
 */
const abandonedMs = 3_600_000;

/** Deletes old backups. Only files with the name of a scheduled backup are deleted, because all others are not ours. */
async function deleteOld(store: ObjectStore, keep: Config['backups']['keep']): Promise<void> {
  const names = (await Array.fromAsync(store.list())).map(({ name }) => name).filter(isFileName);
  for (const name of names.toSorted().slice(0, -keep)) await store.delete(name);
}

async function tellAdministrators(
  { db, mailer }: Pick<Needs, 'db' | 'mailer'>,
  { path, problem }: { path: string; problem: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    for (const { id, email, name } of await listAdministrators(trx)) {
      await mailer.send(
        trx,
        { email, account: id },
        {
          subject: 'The scheduled backup of Bottega failed',
          greeting: `Hello ${name},`,
          paragraphs: [
            `The scheduled backup to ${path} failed: ${problem}`,
            'Bottega retries it a few times, and then makes the next scheduled backup. You will not get another e-mail until a backup succeeds and a later one fails.',
          ],
        },
      );
    }
  });
}
