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
 * Deployments lose their old artifacts, and what no deployment has is deleted piece by piece. Each step is a transaction of its
 * own that leaves something to go on with, so that what is cut short goes on with the next cleaning.
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
