import type { Plan, ProjectSettings, ProjectStatus } from '@bottega/contract';
import { CompiledQuery, sql } from 'kysely';
import type { Permission } from '../foundation/db/schema.ts';
import type { Queries, Trx } from '../foundation/db/transaction.ts';

/** A project with its owner's name and the caller's standing in it. */
export type ProjectRow = {
  id: string;
  owner_id: string;
  owner_name: string;
  owner_email: string;
  owner_username: string;
  name: string;
  description: string;
  status: ProjectStatus;
  public: boolean;
  collaboration_enabled: boolean;
  auto_save: boolean;
  version_control: boolean;
  auto_deploy: boolean;
  repository_url: string | null;
  repository_branch: string | null;
  repository_last_sync: Date | null;
  repository_status: 'idle' | 'syncing' | 'failed';
  repository_error: string | null;
  template_id: string | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  live_deployment_id: string | null;
  app_name: string | null;
  my_permissions: Permission[] | null;
};

const projectColumnNames = `
  p.id, p.owner_id, o.name as owner_name, o.email as owner_email, o.username as owner_username,
  p.name, p.description, p.status, p.public, p.collaboration_enabled, p.auto_save, p.version_control, p.auto_deploy,
  p.repository_url, p.repository_branch, p.repository_last_sync, p.repository_status, p.repository_error,
  p.template_id, p.created_at, p.updated_at, p.deleted_at, p.live_deployment_id, p.app_name`;
const projectColumns = sql.raw(projectColumnNames);

/**
 * For a query of another slice that joins `projects p`: what `mustSee` and its siblings decide by. The parameter is the
 * place of the user's id in that query, such as `$3`. An owner's row among the collaborators is not looked for.
 */
export const accessColumns = (parameter: string): string => `p.owner_id, p.public, p.status,
      case when p.owner_id <> ${parameter} then (select c.permissions from collaborators c
        where c.project_id = p.id and c.user_id = ${parameter} and c.status = 'active') end as my_permissions`;

const myPermissions = (userId: string) => sql`
  (select c.permissions from collaborators c
   where c.project_id = p.id and c.user_id = ${userId} and c.status = 'active') as my_permissions`;

export type CollaboratorJson = { id: string; name: string; email: string; role: string; joined_at: string | null };
export type ProjectDetailRow = ProjectRow & { collaborators: CollaboratorJson[] };

/** The statement that is asked most of all: written out, it is not put together anew for every request. */
const findProjectText = `
    select ${projectColumnNames},
      (select c.permissions from collaborators c
       where c.project_id = p.id and c.user_id = $2 and c.status = 'active') as my_permissions,
      coalesce((
        select json_agg(json_build_object(
            'id', u.id, 'name', u.name, 'email', u.email, 'role', c.role, 'joined_at', c.joined_at) order by c.id)
        from collaborators c join users u on u.id = c.user_id
        where c.project_id = p.id and c.status = 'active'
      ), '[]') as collaborators
    from projects p join users o on o.id = p.owner_id
    where p.id = $1 and p.deleted_at is null`;

export async function findProject(db: Queries, id: string, userId: string): Promise<ProjectDetailRow | undefined> {
  const { rows } = await db.executeQuery<ProjectDetailRow>(CompiledQuery.raw(findProjectText, [id, userId]));
  return rows[0];
}

/** Without the collaborators, for those who only have to know what the caller may do. */
export async function findProjectAccess(db: Queries, id: string, userId: string): Promise<ProjectRow | undefined> {
  const { rows } = await sql<ProjectRow>`
    select ${projectColumns}, ${myPermissions(userId)}
    from projects p join users o on o.id = p.owner_id
    where p.id = ${id} and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** Held until the transaction ends, so that what is checked is still so when it is written. */
export async function lockProject(
  trx: Trx,
  id: string,
  userId: string,
  { deleted = false } = {},
): Promise<ProjectRow | undefined> {
  const { rows } = await sql<ProjectRow>`
    select ${projectColumns}, ${myPermissions(userId)}
    from projects p join users o on o.id = p.owner_id
    where p.id = ${id} and (${deleted} or p.deleted_at is null)
    for no key update of p`.execute(trx);
  return rows[0];
}

/** Who acts, as commits and events name them. */
export type Actor = { id: string; name: string; email: string; username: string };

/** What a writer of files has to know of a project: also who acts, and whose plan sets its limits. */
export type ProjectToWrite = ProjectRow & { actor: Actor; owner_plan: Plan };

const lockWithActorText = `
    select ${projectColumnNames},
      (select c.permissions from collaborators c
       where c.project_id = p.id and c.user_id = $2 and c.status = 'active') as my_permissions,
      o.plan as owner_plan, a.name as actor_name, a.email as actor_email, a.username as actor_username
    from projects p join users o on o.id = p.owner_id join users a on a.id = $2
    where p.id = $1 and p.deleted_at is null
    for no key update of p`;

/** As `lockProject`, with the caller's own name beside it: what every write of files has to know. */
export async function lockProjectWithActor(trx: Trx, id: string, userId: string): Promise<ProjectToWrite | undefined> {
  type Row = ProjectRow & { actor_name: string; actor_email: string; actor_username: string; owner_plan: Plan };
  const { rows } = await trx.executeQuery<Row>(CompiledQuery.raw(lockWithActorText, [id, userId]));
  const [row] = rows;
  if (!row) return undefined;
  const { actor_name: name, actor_email: email, actor_username: username, ...project } = row;
  return { ...project, actor: { id: userId, name, email, username } };
}

export type NewProject = {
  id: string;
  owner_id: string;
  name: string;
  description: string;
  repository_url: string | null;
  repository_branch: string | null;
  template_id: string | null;
  template_version: number | null;
} & ProjectSettings;

export async function insertProject(trx: Trx, project: NewProject): Promise<ProjectRow> {
  await trx.insertInto('projects').values(project).execute();
  await trx.insertInto('project_stats').values({ project_id: project.id }).execute();
  const row = await lockProject(trx, project.id, project.owner_id);
  if (!row) throw new Error('a project that was just inserted is gone');
  return row;
}

export type ProjectChange = Partial<
  Pick<
    ProjectRow,
    | 'name'
    | 'description'
    | 'status'
    | 'repository_url'
    | 'repository_branch'
    | 'repository_last_sync'
    | 'repository_status'
  > &
    ProjectSettings
>;

export async function updateProject(trx: Trx, id: string, change: ProjectChange): Promise<Date> {
  const { updated_at } = await trx
    .updateTable('projects')
    // Not now(), the begin of a transaction that may have waited: the time must not go back behind the former change.
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  await trx.updateTable('project_stats').set({ last_activity: updated_at }).where('project_id', '=', id).execute();
  return updated_at;
}

export async function setOwner(trx: Trx, id: string, ownerId: string): Promise<Date> {
  const { updated_at } = await trx
    .updateTable('projects')
    .set({ owner_id: ownerId, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  return updated_at;
}

/** Returns the project's owner. */
export async function markSyncing(trx: Trx, id: string): Promise<string> {
  const { owner_id } = await trx
    .updateTable('projects')
    .set({ repository_status: 'syncing', repository_error: null })
    .where('id', '=', id)
    .returning('owner_id')
    .executeTakeFirstOrThrow();
  return owner_id;
}

export async function markDeleted(trx: Trx, id: string): Promise<Date> {
  const { deleted_at } = await trx
    .updateTable('projects')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning('deleted_at')
    .executeTakeFirstOrThrow();
  if (!deleted_at) throw new Error('deleted_at is not set');
  return deleted_at;
}

export async function unmarkDeleted(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('projects').set({ deleted_at: null }).where('id', '=', id).execute();
}

export function listOwnedProjects(db: Queries, ownerId: string): Promise<{ id: string; deleted_at: Date | null }[]> {
  return db.selectFrom('projects').select(['id', 'deleted_at']).where('owner_id', '=', ownerId).execute();
}

/** Only while it is still deleted: it may have been restored since. */
export async function purgeProject(db: Queries, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('projects')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export function findProjectStats(db: Queries, id: string) {
  return db
    .selectFrom('project_stats')
    .select(['files_count', 'stored_bytes', 'artifact_bytes'])
    .where('project_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Whose plan sets the limits of a project, asked without holding it. */
export function findOwner(db: Queries, id: string): Promise<{ userId: string; plan: Plan }> {
  return db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.owner_id')
    .select(['users.id as userId', 'users.plan'])
    .where('projects.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Deleted projects count until they are purged: until then all of them can be had again. */
export async function sumStoredBytes(db: Queries, ownerId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(s.stored_bytes + s.artifact_bytes), 0)::bigint as bytes
    from projects p join project_stats s on s.project_id = p.id
    where p.owner_id = ${ownerId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
