import { transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import { lockKnownProject } from '../../projects/index.ts';
import type { Landing } from '../merging/index.ts';
import * as rows from '../state/index.ts';

const longestReason = 500;

/**
 * Takes a request that cannot be merged out of the queue, and tells people the reason. If the request has ended, no
 * reason is needed.
 */
export async function dropEntry(
  { db, publicUrl }: Pick<Landing, 'db' | 'publicUrl'>,
  entry: rows.Entry,
  reason: string | null,
): Promise<void> {
  const { project_id: projectId, number, queued_by } = entry;
  const cause = causeOfRun(queued_by, entry.request_id);
  await transaction(db, async (trx) => {
    const project = await lockKnownProject(trx, projectId, queued_by);
    const row = await rows.findRequest(trx, projectId, number);
    // Somebody may have queued the request again meanwhile, for other commits or in another way.
    const now = await rows.findEntry(trx, entry);
    if (!project || !row || now?.request_id !== entry.request_id) return;
    await rows.deleteEntry(trx, entry);
    if (reason === null) return;
    const said = reason.slice(0, longestReason).toWellFormed();
    const left = { ...row, queue: null };
    await rows.tellDequeued(trx, left, said, { project, publicUrl: publicUrl(), cause });
    const data = { number, title: row.title, reason: said };
    const to = [row.author_id, queued_by];
    await notify(trx, { type: 'left_queue', to, projectId, actorId: null, data }, cause);
  });
}
