import type { Db } from '../../foundation/db/index.ts';
import type { Ground } from '../../foundation/ground.ts';
import { rememberHealth } from '../../foundation/remembered-health.ts';
import type { PartHealth } from '../../foundation/slice.ts';
import { createPieces, deleteUnneededObjects, openBuckets, watchBucket } from '../pieces/index.ts';

/** Creates two stores of artifacts: one for visitors, who wait only briefly, and one for jobs. */
export function createArtifactStore({ config, db }: Ground) {
  const { objects, s3 } = config;
  const options = { db, objects, s3 };
  const findProblem = objects === null ? null : watchBucket(objects, s3);
  const describe = async (): Promise<PartHealth> => ({ problem: (await findProblem?.()) ?? null, kept_in: objects });
  const known = rememberHealth({ problem: null, kept_in: objects }, describe);
  return {
    forVisitors: createPieces({ ...options, patience: 'visitor' }),
    forWork: createPieces({ ...options, patience: 'work' }),
    // Runs even if no bucket is configured any more, because old objects may have to be deleted.
    deleteUnneeded: (all: Db) => deleteUnneededObjects(all, openBuckets(s3, 'visitor')),
    health: async (isPatient: boolean) => (objects === null ? {} : { artifacts: await known(isPatient) }),
  };
}
