import type { AdminProject, AdminProjectQuery, Plan, Project } from '@bottega/contract';
import type { PlanLimits } from '../foundation/config/index.ts';
import type { Db } from '../foundation/db/index.ts';
import { type Cause, notFound } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import { type AdminProjectRow, countAllProjects, listAllProjects } from './admin-projects.sql.ts';
import { findOwnerIfAny } from './projects.sql.ts';
import { purgeTimes, restoreProject } from './trash.service.ts';

export async function findAllProjects(
  db: Db,
  query: AdminProjectQuery,
): Promise<{ data: AdminProject[]; total: number }> {
  const [rows, total] = await Promise.all([listAllProjects(db, query), countAllProjects(db, query)]);
  const times = await purgeTimes(
    db,
    rows.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id),
  );
  return { data: rows.map((row) => asAdminProject(row, times.get(row.id))), total };
}

/** Restores a project on behalf of its owner. The project has to fit into the owner's plan. */
export async function restoreForOwner(
  db: Db,
  id: string,
  { plans, cause }: { plans: Record<Plan, PlanLimits>; cause: Cause },
): Promise<Project> {
  const owner = isId('prj', id) ? await findOwnerIfAny(db, id) : undefined;
  if (!owner) throw notFound('Project');
  return restoreProject(db, owner, id, { limits: plans[owner.plan], cause });
}

function asAdminProject(row: AdminProjectRow, purgeAt: Date | undefined): AdminProject {
  return {
    id: row.id,
    name: row.name,
    owner: { id: row.owner_id, name: row.owner_name, email: row.owner_email },
    status: row.deleted_at ? 'deleted' : row.status,
    public: row.public,
    files_count: row.files_count,
    stored_bytes: row.stored_bytes,
    created_at: row.created_at.toISOString(),
    last_activity: row.last_activity.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    purge_at: purgeAt?.toISOString() ?? null,
  };
}
