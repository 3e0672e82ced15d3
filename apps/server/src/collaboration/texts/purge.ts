import { type Db, inBatches, transaction } from '../../foundation/db/index.ts';
import { holdProject } from '../../projects/index.ts';
import { deleteUnneededTexts, projectsWithUnneededTexts } from './texts.sql.ts';

/**
 * Once the last session of a project is purged, its texts go too: the next session makes them anew from the files. Whoever
 * starts one waits for the project's row, so that no text is opened while it goes; and a client of Yjs that was away since
 * is told that its text is another one.
 */
export function purgeTexts(db: Db): Promise<void> {
  return inBatches(async (most) => {
    const found = await projectsWithUnneededTexts(db, most);
    for (const projectId of found) {
      await transaction(db, async (trx) => {
        await holdProject(trx, projectId);
        await deleteUnneededTexts(trx, projectId);
      });
    }
    return found.length;
  });
}
