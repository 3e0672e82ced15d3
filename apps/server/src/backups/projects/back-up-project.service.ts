import type { Db } from '../../foundation/db/index.ts';
import { type Place, type Progress, writeBackupFile } from '../file/index.ts';
import { dumpProject } from './dump-project.service.ts';
import { allowIdleTransaction } from './projects.sql.ts';

type Options = { projectId: string; place: Place; version: string; passphrase: string | null; progress: Progress };
type Written = { objects: number; size: number };

/** Backs up one project as of one moment, while the service runs. */
export function backUpProject(db: Db, { place, passphrase, ...options }: Options): Promise<Written> {
  let objects = 0;
  const progress: Progress = (soFar) => {
    objects = soFar.rows;
    options.progress(soFar);
  };
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await allowIdleTransaction(trx);
      const size = await writeBackupFile(place, dumpProject(trx, { ...options, progress }), passphrase);
      return { objects, size };
    });
}
