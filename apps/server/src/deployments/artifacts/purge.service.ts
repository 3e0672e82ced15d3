import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { holdProject } from '../../projects/index.ts';
import {
  type ArtifactRule,
  forgetOldArtifacts,
  projectsWithOldArtifacts,
  projectsWithUnusedArtifacts,
} from './purge.sql.ts';
import { dropWhatIsUnused } from './storage.ts';

const projectsAtOnce = 100;

/**
 * Removes old artifacts from their deployments, and then deletes unused pieces. Each step is a separate transaction, so
 * that an interrupted purge continues with the next cleaning.
 */
export async function purgeArtifacts(db: Db, rule: ArtifactRule): Promise<void> {
  let found: string[];
  do {
    found = await projectsWithOldArtifacts(db, rule, projectsAtOnce);
    await eachAlone(found, (projectId) =>
      transaction(db, async (trx) => {
        await holdProject(trx, projectId);
        await forgetOldArtifacts(trx, projectId, rule);
      }),
    );
  } while (found.length === projectsAtOnce);
  await eachAlone(await projectsWithUnusedArtifacts(db), async (projectId) => {
    while (await dropWhatIsUnused(db, { projectId, deploymentId: null }));
  });
}
