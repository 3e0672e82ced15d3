import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import type { GitCaches, GitProgram } from '../cache/index.ts';
import { withQuarantine } from '../quarantine/index.ts';
import { deletePackedRows, finishPacking, packSoon, planPack, storeHistory, storePack } from '../store/index.ts';
import { touchedPaths } from './touched-paths.ts';
import { writePack } from './write-pack.ts';

export type Packing = {
  db: Db;
  git: GitProgram;
  caches: GitCaches;
  /** Where packs are written before they are stored. */
  root: string;
  /** Whether a process of an earlier release is running. Such a process can read only rows, and no packs. */
  hasOlderNodes(): Promise<boolean>;
};

/**
 * Packs the objects of a project that were stored since the last time, together with those packs that are not much
 * larger. So there are few packs, and an object is packed again only when the history has doubled.
 *
 * Rows at the head of main are kept. Other rows are deleted, but only after the pack was stored and read back, in a
 * transaction that locks the project. If a process is killed at any moment, the rows, the finished pack, or both
 * remain. Only one worker packs a project at a time, because the jobs of a project have one queue.
 */
export async function packHistory(
  { db, git, caches, root, hasOlderNodes }: Packing,
  { project_id: projectId, fewest }: Tasks['repositories:pack'],
): Promise<void> {
  if (await hasOlderNodes()) return;
  const plan = await planPack(db, projectId, fewest);
  if (!plan) return deletePackedRows(db, projectId);
  const packId = await caches.withCache(projectId, (cache) =>
    withQuarantine(root, async (folder) => {
      const files = await writePack(git, cache, folder, plan);
      const id = await storePack(db, { projectId, files, numbers: plan.objects, last: plan.last });
      const touched = await touchedPaths(git, cache, plan.commits);
      if (touched) await storeHistory(db, id, plan.commits, touched);
      return id;
    }),
  );
  await finishPacking(db, projectId, packId, plan);
  if (plan.isPartial) await transaction(db, (trx) => packSoon(trx, projectId));
}
