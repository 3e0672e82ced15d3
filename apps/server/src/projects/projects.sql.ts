import type { Plan, ProjectSettings } from '@bottega/contract';
import { CompiledQuery, sql } from 'kysely';
import { changing } from '../foundation/cluster/cache-registry.ts';
import {
  allRows,
  firstRow,
  type PointReads,
  type Queries,
  type Question,
  type RowOf,
  selectList,
  type Trx,
} from '../foundation/db/index.ts';
import type { Permission } from '../foundation/db/schema.ts';
import type { Page } from '../foundation/http/index.ts';
import { projectAccess, projectAccessText } from './access/index.ts';

const shownProject = [
  'id',
  'owner_id',
  'name',
  'description',
  'status',
  'public',
  'collaboration_enabled',
  'auto_save',
  'version_control',
  'auto_deploy',
  'auto_preview',
  'repository_url',
  'repository_branch',
  'repository_last_sync',
  'repository_status',
  'repository_error',
  'template_id',
  'forked_from',
  'created_at',
  'updated_at',
  'live_deployment_id',
  'app_name',
] as const;
const rest = ['deleted_at', 'protected_branches'] as const;
/** The columns of the project itself. */
export const projectNames: readonly string[] = [...shownProject, ...rest];

/** The columns that everybody who can see a project is shown. `o` is its owner. */
export const shownColumns = `
  ${selectList('p', shownProject)}, o.name as owner_name, o.email as owner_email, o.username as owner_username`;
export type ShownProject = RowOf<'projects', typeof shownProject> & {
  owner_name: string;
  owner_email: string;
  owner_username: string;
};

/** A project with its owner's name and the caller's permissions. */
export type ProjectRow = ShownProject & RowOf<'projects', typeof rest> & { my_permissions: Permission[] | null };

export const projectColumnNames = `${shownColumns}, ${selectList('p', rest)}`;
const projectColumns = sql.raw(projectColumnNames);

export type CollaboratorJson = { id: string; name: string; email: string; role: string; joined_at: string | null };
export type ProjectDetailRow = ProjectRow & { collaborators: CollaboratorJson[] };

/** The most frequent statement of the service. Its text is fixed, so that it need not be built for every request. */
const findProjectText = `
    select ${projectColumnNames},
      ${projectAccessText('$2')} as my_permissions,
      coalesce((
        select json_agg(json_build_object(
            'id', u.id, 'name', u.name, 'email', u.email, 'role', c.role, 'joined_at', c.joined_at) order by c.id)
        from collaborators c join users u on u.id = c.user_id
        where c.project_id = p.id and c.status = 'active'
      ), '[]') as collaborators
    from projects p join users o on o.id = p.owner_id
    where p.id = $1 and p.deleted_at is null`;

export async function findProject(db: PointReads, id: string, userId: string): Promise<ProjectDetailRow | undefined> {
  const { rows } = await db.executeQuery<ProjectDetailRow>(CompiledQuery.raw(findProjectText, [id, userId]));
  return rows[0];
}

/** Finds a project without its collaborators, for callers that only need the rights. */
export function findProjectAccess(db: Queries, id: string, userId: string): Promise<ProjectRow | undefined> {
  return firstRow<ProjectRow>(db)`
    select ${projectColumns}, ${projectAccess(userId)} as my_permissions
    from projects p join users o on o.id = p.owner_id
    where p.id = ${id} and p.deleted_at is null`;
}

/** Locks a project until the transaction ends, so that what the transaction checks is still true when it writes. */
export function lockProject(
  trx: Trx,
  id: string,
  userId: string,
  { deleted = false } = {},
): Promise<ProjectRow | undefined> {
  return firstRow<ProjectRow>(trx)`
    select ${projectColumns}, ${projectAccess(userId)} as my_permissions
    from projects p join users o on o.id = p.owner_id
    where p.id = ${id} and (p.deleted_at is null or (${deleted} and not p.purging))
    for no key update of p`;
}

/** The acting user, as commits and events name them. */
export type Actor = { id: string; name: string; email: string; username: string };

/** The data about a project that a writer of files needs, including who acts and whose plan sets its limits. */
export type ProjectToWrite = ProjectRow & {
  actor: Actor;
  owner_plan: Plan;
};

const writableColumns = `${projectColumnNames},
      ${projectAccessText('a.id')} as my_permissions,
      o.plan as owner_plan, a.id as actor_id, a.name as actor_name, a.email as actor_email, a.username as actor_username`;

const lockWithActorsText = `
    select ${writableColumns}
    from projects p join users o on o.id = p.owner_id join users a on a.id = any($2::text[])
    where p.id = $1 and p.deleted_at is null
    for no key update of p`;

export type LockedRow = ProjectRow & { owner_plan: Plan } & {
  [Field in keyof Actor as `actor_${Field}`]: Actor[Field];
};

/**
 * Like `lockProject`, but returns a row for each of these callers, with their names, which every write of files needs.
 * The result is keyed by the callers' ids.
 */
export const lockingWithActors = (id: string, userIds: string[]): Question<Map<string, ProjectToWrite>, LockedRow> => ({
  query: CompiledQuery.raw(lockWithActorsText, [id, userIds]),
  read: (rows) => new Map(rows.map((row) => [row.actor_id, asProjectToWrite(row)])),
});

/** Rows are locked in no particular order, because a statement that never waits for a lock cannot deadlock. */
const lockFreeWithActorsText = `
    select ${writableColumns}
    from unnest($1::text[], $2::text[]) as w (project_id, actor_id)
    join projects p on p.id = w.project_id join users o on o.id = p.owner_id join users a on a.id = w.actor_id
    where p.deleted_at is null
    for no key update of p skip locked`;

/**
 * Like `lockingWithActors`, but for several projects, and without those that another transaction has locked. The result
 * is keyed by project, then by caller.
 */
export const lockingFreeWithActors = (
  wanted: { id: string; userId: string }[],
): Question<Map<string, Map<string, ProjectToWrite>>, LockedRow> => ({
  query: CompiledQuery.raw(lockFreeWithActorsText, [wanted.map(({ id }) => id), wanted.map(({ userId }) => userId)]),
  read(rows) {
    const locked = new Map<string, Map<string, ProjectToWrite>>();
    for (const row of rows) {
      const actors = locked.get(row.id) ?? new Map<string, ProjectToWrite>();
      locked.set(row.id, actors.set(row.actor_id, asProjectToWrite(row)));
    }
    return locked;
  },
});

function asProjectToWrite(row: LockedRow): ProjectToWrite {
  const { actor_id: id, actor_name: name, actor_email: email, actor_username: username, ...project } = row;
  return { ...project, actor: { id, name, email, username } };
}

type Repository = 'repository_url' | 'repository_branch';
type Synced = 'repository_last_sync' | 'repository_status';
export type ProjectChange = Partial<
  ProjectSettings & Pick<ProjectRow, 'name' | 'description' | 'status' | Repository | Synced>
>;

export async function updateProject(trx: Trx, id: string, change: ProjectChange): Promise<Date> {
  const { updated_at } = await trx
    .updateTable('projects')
    // Not now(), which is the start of a transaction that may have waited. The time must not be before that of the
    // previous change.
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

/** Marks a project as syncing. Returns its owner. */
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
  await changing(trx, 'apps', id);
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
  await changing(trx, 'apps', id);
  await trx.updateTable('projects').set({ deleted_at: null }).where('id', '=', id).execute();
}

export function listOwnedProjects(db: Queries, ownerId: string): Promise<{ id: string; deleted_at: Date | null }[]> {
  return db.selectFrom('projects').select(['id', 'deleted_at']).where('owner_id', '=', ownerId).execute();
}

export type TrashedRow = ShownProject & { deleted_at: Date; stored_bytes: number };

/**
 * Selects the owner's deleted projects. A project that is being purged no longer counts, because the owner cannot
 * restore it.
 */
const inTrashOf = (ownerId: string) => sql`p.owner_id = ${ownerId} and p.deleted_at is not null and not p.purging`;

export function listTrash(db: Queries, ownerId: string, { page, limit }: Page): Promise<TrashedRow[]> {
  return allRows<TrashedRow>(db)`
    select ${sql.raw(shownColumns)}, p.deleted_at, s.stored_bytes + s.artifact_bytes + s.live_bytes as stored_bytes
    from projects p join users o on o.id = p.owner_id join project_stats s on s.project_id = p.id
    where ${inTrashOf(ownerId)}
    order by p.deleted_at desc, p.id desc limit ${limit} offset ${(page - 1) * limit}`;
}

export async function countTrash(db: Queries, ownerId: string): Promise<number> {
  const row = await firstRow<{ total: number }>(db)`
    select count(*) as total from projects p where ${inTrashOf(ownerId)}`;
  return row?.total ?? 0;
}

/**
 * Begins the purge, after which the project cannot be restored. Returns false if it is no longer deleted, because it
 * has been restored.
 */
export async function beginPurge(db: Queries, id: string): Promise<boolean> {
  const result = await db
    .updateTable('projects')
    .set({ purging: true })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function purgeProject(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('projects').where('id', '=', id).where('purging', '=', true).execute();
}

export function findProjectStats(db: Queries, id: string) {
  return db
    .selectFrom('project_stats')
    .select(['files_count', 'stored_bytes', 'artifact_bytes', 'live_bytes'])
    .where('project_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Locks the project until the transaction ends. */
export async function holdProject(trx: Trx, id: string): Promise<void> {
  await sql`select id from projects where id = ${id} for no key update`.execute(trx);
}

/** The user whose plan sets the limits of a project. Takes no lock. */
export function findOwner(db: Queries, id: string): Promise<{ userId: string; plan: Plan }> {
  return ownerOf(db, id).executeTakeFirstOrThrow();
}

/** Like `findOwner`, but for a project that may not exist. */
export function findOwnerIfAny(db: Queries, id: string): Promise<{ userId: string; plan: Plan } | undefined> {
  return ownerOf(db, id).executeTakeFirst();
}

const ownerOf = (db: Queries, id: string) =>
  db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.owner_id')
    .select(['users.id as userId', 'users.plan'])
    .where('projects.id', '=', id);

/**
 * Locks an account's storage until the transaction ends, so that transactions that add to it take turns near the limit
 * of a plan.
 */
export async function lockStorage(db: Queries, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storage of ${ownerId}`}, 0))`.execute(db);
}

/**
 * The bytes that an account stores. Deleted projects count until they are purged, because they can be restored until
 * then.
 */
export async function sumStoredBytes(db: Queries, ownerId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(kept.bytes), 0)::bigint as bytes from (
      select s.stored_bytes + s.artifact_bytes + s.live_bytes as bytes
      from projects p join project_stats s on s.project_id = p.id where p.owner_id = ${ownerId}
      union all
      select t.stored_bytes from templates t where t.owner_id = ${ownerId}
    ) as kept`.execute(db);
  return rows[0]?.bytes ?? 0;
}

type Stored = { projects: number; bytes: number };

/** The bytes that each of several accounts stores, with the number of its projects. */
export async function sumStoredByEach(db: Queries, ownerIds: string[]): Promise<Map<string, Stored>> {
  const { rows } = await sql<Stored & { owner_id: string }>`
    select kept.owner_id, sum(kept.projects)::bigint as projects, sum(kept.bytes)::bigint as bytes from (
      select p.owner_id, (p.deleted_at is null)::int as projects,
        s.stored_bytes + s.artifact_bytes + s.live_bytes as bytes
      from projects p join project_stats s on s.project_id = p.id where p.owner_id = any(${ownerIds}::text[])
      union all
      select t.owner_id, 0, t.stored_bytes from templates t where t.owner_id = any(${ownerIds}::text[])
    ) as kept group by kept.owner_id`.execute(db);
  return new Map(rows.map(({ owner_id, projects, bytes }) => [owner_id, { projects, bytes }]));
}
