import { type Db, inBatches, transaction } from '../../foundation/db/index.ts';
import { holdProject } from '../../projects/index.ts';
import { deleteUnneededTexts, projectsWithUnneededTexts } from './texts.sql.ts';

/**
 * Purges the texts of projects whose last session was purged, unless they are still needed. The next session creates
 * new texts from the files. The start of a session waits for the project's row, so no text is opened meanwhile. A Yjs
 * client that was offline during that time learns that its text is a different one.
 */
export function purgeTexts(db: Db): Promise<void> {
  return inBatches(async (max) => {
    const projectIds = await projectsWithUnneededTexts(db, max);
    for (const projectId of projectIds) {
      await transaction(db, async (trx) => {
        await holdProject(trx, projectId);
        await deleteUnneededTexts(trx, projectId);
      });
    }
    return projectIds.length;
  });
}
