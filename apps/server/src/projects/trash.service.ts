import type { Project, TrashedProject, TrashQuery } from '@bottega/contract';
import { appendEvent } from '../events/index.ts';
import type { PlanLimits } from '../foundation/config/index.ts';
import { type Db, type Trx, transaction } from '../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import { cancelJob, enqueueJob, readRunTimes } from '../foundation/jobs/enqueue.ts';
import { recordAudit } from '../identity/audit/index.ts';
import { mustOwn, mustSee } from './access/index.ts';
import { projectEventData } from './projects.events.ts';
import * as listing from './projects.listing.sql.ts';
import { mustHaveRoom } from './projects.room.ts';
import * as rows from './projects.sql.ts';
import { mustHaveStorage } from './projects.storage.ts';
import { asProject } from './projects.view.ts';

/** Hides the project immediately. It can be restored until the purge, whose job is created in the same transaction. */
export async function deleteProject(
  db: Db,
  { userId }: Pick<Principal, 'userId'>,
  id: string,
  { restoreDays, cause }: { restoreDays: number; cause: Cause },
): Promise<Date> {
  return transaction(db, async (trx) => {
    const project = mustSee(isId('prj', id) ? await rows.lockProject(trx, id, userId) : undefined, userId);
    mustOwn(project, userId);
    const deletedAt = await rows.markDeleted(trx, id);
    await listing.unlistProject(trx, id);
    const data = { ...projectEventData(project), deleted_at: deletedAt.toISOString() };
    await appendEvent(trx, { ...about(project), type: 'project.deleted', data }, cause);
    await recordAudit(trx, { ...inAudit(project), action: 'project.deleted' }, cause);
    await enqueueJob(
      trx,
      'projects:purge',
      { project_id: id },
      { key: purgeKey(id), delaySeconds: restoreDays * 86_400 },
    );
    return deletedAt;
  });
}

export async function restoreProject(
  db: Db,
  principal: Pick<Principal, 'userId' | 'plan'>,
  id: string,
  { limits, cause }: { limits: PlanLimits; cause: Cause },
): Promise<Project> {
  const { userId } = principal;
  return transaction(db, async (trx) => {
    const project = await lockTrashed(trx, id, userId);
    await mustHaveRoom(trx, principal, limits);
    await mustHaveStorage(trx, principal, limits);
    await rows.unmarkDeleted(trx, id);
    await cancelJob(trx, purgeKey(id));
    await listing.listProject(trx, project);
    const changes = { deleted_at: { from: project.deleted_at.toISOString(), to: null } };
    const data = { ...projectEventData(project), changes };
    await appendEvent(trx, { ...about(project), type: 'project.updated', data }, cause);
    await recordAudit(trx, { ...inAudit(project), action: 'project.restored' }, cause);
    return asProject(project);
  });
}

/** Purges a project before its time is over. From now on, it cannot be restored. A job frees its storage. */
export async function purgeProject(
  db: Db,
  { userId }: Principal,
  id: string,
  { name, cause }: { name: string; cause: Cause },
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockTrashed(trx, id, userId);
    if (project.name !== name) throw invalid('name', 'is not the name of the project');
    await rows.beginPurge(trx, id);
    await enqueueJob(trx, 'projects:purge', { project_id: id }, { key: purgeKey(id) });
    await recordAudit(trx, { ...inAudit(project), action: 'project.purged' }, cause);
  });
}

export async function listTrash(
  db: Db,
  { userId }: Principal,
  query: TrashQuery,
): Promise<{ data: TrashedProject[]; total: number }> {
  const [page, total] = await Promise.all([rows.listTrash(db, userId, query), rows.countTrash(db, userId)]);
  const times = await purgeTimes(
    db,
    page.map(({ id }) => id),
  );
  const data = page.map((row) => ({
    ...asProject(row),
    deleted_at: row.deleted_at.toISOString(),
    purge_at: times.get(row.id)?.toISOString() ?? null,
    stored_bytes: row.stored_bytes,
  }));
  return { data, total };
}

/** Returns when each of these projects will be purged, by id. */
export async function purgeTimes(db: Db, ids: string[]): Promise<Map<string, Date | undefined>> {
  const times = await readRunTimes(db, ids.map(purgeKey));
  return new Map(ids.map((id) => [id, times.get(purgeKey(id))]));
}

/** Locks a deleted project for its owner. For everyone else, it does not exist. */
async function lockTrashed(trx: Trx, id: string, userId: string): Promise<rows.ProjectRow & { deleted_at: Date }> {
  const project = isId('prj', id) ? await rows.lockProject(trx, id, userId, { deleted: true }) : undefined;
  if (!project || (project.deleted_at && project.owner_id !== userId)) throw notFound('Project');
  mustOwn(mustSee(project, userId), userId);
  const { deleted_at } = project;
  if (!deleted_at) throw conflict('The project is not deleted');
  return { ...project, deleted_at };
}

const purgeKey = (id: string): string => `purge ${id}`;

const about = (project: rows.ProjectRow) => ({ accountId: project.owner_id, projectId: project.id });
const inAudit = (project: rows.ProjectRow) => ({
  accountId: project.owner_id,
  subjectId: project.id,
  details: { name: project.name },
});
