import type { Plan, WorkspaceMode } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowOf, selectList, type Trx } from '../../foundation/db/index.ts';
import { heldUntil, leaseFor } from '../../foundation/db/lease.sql.ts';

const ownColumns = [
  'id',
  'project_id',
  'created_by',
  'name',
  'branch',
  'mode',
  'status',
  'wanted',
  'reason',
  'created_at',
  'started_at',
  'last_used_at',
  'saved_at',
  'running_seconds',
  'epoch',
  'host',
  'port',
  'layer_id',
  'layer_problem',
  'packed_at',
  'network',
  'language_servers',
  'stopped_agents',
] as const;
const columns = sql.raw(selectList('w', ownColumns));

export type WorkspaceRow = RowOf<'workspaces', typeof ownColumns>;

const leaseSeconds = 20;
/** After this time, any worker may start a wanted workspace. Before, only the worker that has its files may. */
const homeSeconds = 5;

type NewWorkspace = {
  id: string;
  project_id: string;
  created_by: string;
  name: string;
  branch: string;
  mode: WorkspaceMode;
  /** The layer with files that the workspace begins with in addition to those of the branch. */
  layer_id: string | null;
};

export async function insertWorkspace(trx: Trx, workspace: NewWorkspace): Promise<WorkspaceRow> {
  const { id, project_id, created_by, name, branch, mode, layer_id } = workspace;
  const row = await firstRow<WorkspaceRow>(trx)`
    insert into workspaces as w (id, project_id, created_by, name, branch, mode, status, layer_id)
    values (${id}, ${project_id}, ${created_by}, ${name}, ${branch}, ${mode}, 'starting', ${layer_id})
    returning ${columns}`;
  return row as WorkspaceRow;
}

export function listWorkspaces(db: Queries, projectId: string): Promise<WorkspaceRow[]> {
  return allRows<WorkspaceRow>(db)`
    select ${columns} from workspaces w where w.project_id = ${projectId} order by w.id desc limit 100`;
}

export function findWorkspace(db: Queries, projectId: string, id: string): Promise<WorkspaceRow | undefined> {
  return firstRow<WorkspaceRow>(db)`
    select ${columns} from workspaces w where w.id = ${id} and w.project_id = ${projectId}`;
}

/** A workspace that other nodes can reach. */
export type RunningWorkspace = WorkspaceRow & { host: string; port: number };

export const isReachable = (row: WorkspaceRow): row is RunningWorkspace =>
  row.status === 'running' && row.wanted && row.host !== null && row.port !== null;

/** Whether a worker runs the workspace. */
export async function isHeld(db: Queries, id: string): Promise<boolean> {
  const row = await firstRow<{ id: string }>(db)`
    select id from workspaces where id = ${id} and worker_id is not null and lease_until > clock_timestamp()`;
  return row !== undefined;
}

export function findWorkspaceAnywhere(db: Queries, id: string): Promise<WorkspaceRow | undefined> {
  return firstRow<WorkspaceRow>(db)`
    select ${columns} from workspaces w join projects p on p.id = w.project_id and p.deleted_at is null
    where w.id = ${id}`;
}

/** Keeps two requests from together exceeding an account's limit. */
export async function holdWorkspacesOf(trx: Trx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspaces of ${accountId}`}, 0))`.execute(trx);
}

/** Counts the workspaces in the projects of an account that run or are about to. */
export async function countRunning(trx: Trx, accountId: string, exceptId: string | null): Promise<number> {
  const row = await firstRow<{ count: number }>(trx)`
    select count(*) as count from workspaces w join projects p on p.id = w.project_id
    where p.owner_id = ${accountId} and p.deleted_at is null and w.id is distinct from ${exceptId}
      and (w.wanted or (w.worker_id is not null and w.lease_until > clock_timestamp()))`;
  return row?.count ?? 0;
}

export async function countInProject(trx: Trx, projectId: string): Promise<number> {
  const row = await firstRow<{ count: number }>(trx)`
    select count(*) as count from workspaces where project_id = ${projectId}`;
  return row?.count ?? 0;
}

/** Makes workers start the workspace. False if it already runs or is about to. */
export async function wantWorkspace(db: Queries, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set wanted = true, last_used_at = clock_timestamp(), reason = null, is_leaving = false,
      status = case when status = 'running' then status else 'starting' end
    where id = ${id} and not (wanted and status <> 'failed')`.execute(db);
  return numAffectedRows === 1n;
}

export async function unwantWorkspace(db: Queries, id: string): Promise<void> {
  await sql`
    update workspaces set wanted = false,
      status = case when worker_id is null or lease_until < clock_timestamp() then 'sleeping' else status end
    where id = ${id}`.execute(db);
}

/** Marks a workspace that is being deleted. From now on, no files are stored for it. */
export async function markLeaving(db: Queries, id: string): Promise<void> {
  await sql`update workspaces set is_leaving = true where id = ${id}`.execute(db);
}

export async function deleteWorkspace(db: Queries, id: string): Promise<void> {
  await sql`delete from workspaces where id = ${id}`.execute(db);
}

/** A workspace that should run, with everything needed to run it. */
export type WantedWorkspace = {
  id: string;
  project_id: string;
  project_name: string;
  created_by: string;
  name: string;
  branch: string;
  owner_id: string;
  plan: Plan;
  layer_id: string | null;
  packed_home: string | null;
};

/** Wanted workspaces that no worker runs. Accounts with the fewest running ones come first. */
export function listWanted(db: Queries, home: string): Promise<WantedWorkspace[]> {
  return allRows<WantedWorkspace>(db)`
    select w.id, w.project_id, p.name as project_name, w.created_by, w.name, w.branch, p.owner_id, u.plan,
      w.layer_id, w.packed_home
    from workspaces w join projects p on p.id = w.project_id and p.deleted_at is null and p.status = 'active'
    join users u on u.id = p.owner_id and u.suspended_at is null
    where w.wanted and (w.worker_id is null or ${heldUntil('w.lease_until', leaseSeconds)} < clock_timestamp())
      and (w.home is null or w.home = ${home} or w.last_used_at < clock_timestamp() - make_interval(secs => ${homeSeconds}))
    order by (select count(*) from workspaces o join projects op on op.id = o.project_id
      where op.owner_id = p.owner_id and o.worker_id is not null), w.last_used_at limit 10`;
}

/** Claims the workspace for a worker, and returns the epoch of the claim. Undefined if another worker was faster. */
export async function claimWorkspace(
  db: Queries,
  id: string,
  { workerId, home }: { workerId: string; home: string },
): Promise<number | undefined> {
  const row = await firstRow<{ epoch: number }>(db)`
    update workspaces set worker_id = ${workerId}, home = ${home}, epoch = epoch + 1, status = 'starting',
      lease_until = ${leaseFor(leaseSeconds)}, host = null, port = null, reason = null
    where id = ${id} and wanted and (worker_id is null or lease_until < clock_timestamp())
    returning epoch`;
  return row?.epoch;
}

/**
 * Renews the leases of the workspaces that the worker runs, and returns the ids of those that should go on. The lease
 * of a run whose end could not be recorded is not renewed.
 */
export async function renewWorkspaces(db: Queries, workerId: string, running: string[]): Promise<string[]> {
  const rows = await allRows<{ id: string; wanted: boolean }>(db)`
    update workspaces w set lease_until = ${leaseFor(leaseSeconds)}
    from projects p join users u on u.id = p.owner_id
    where w.worker_id = ${workerId} and w.id = any(${running}) and p.id = w.project_id
    returning w.id, (w.wanted and p.deleted_at is null and p.status = 'active' and u.suspended_at is null) as wanted`;
  return rows.filter((row) => row.wanted).map((row) => row.id);
}

type Claim = { id: string; epoch: number };

/** What the plan of the project's owner and the worker allow in a run. */
export type GivenToRun = { network: 'public' | 'off'; languageServers: boolean };

export async function noteRunning(
  db: Queries,
  { id, epoch }: Claim,
  at: { host: string; port: number },
  { network, languageServers }: GivenToRun,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set status = 'running', host = ${at.host}, port = ${at.port}, started_at = clock_timestamp(),
      last_used_at = clock_timestamp(), network = ${network}, language_servers = ${languageServers}
    where id = ${id} and epoch = ${epoch}`.execute(db);
  return numAffectedRows === 1n;
}

export async function noteUse(db: Queries, { id, epoch }: Claim, idleMs: number): Promise<void> {
  await sql`
    update workspaces set last_used_at = greatest(last_used_at, clock_timestamp() - make_interval(secs => ${idleMs / 1000}))
    where id = ${id} and epoch = ${epoch}`.execute(db);
}

/** Changes the workspace's branch. False if another worker runs the workspace. */
export async function changeBranch(db: Queries, { id, epoch }: Claim, branch: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set branch = ${branch} where id = ${id} and epoch = ${epoch}`.execute(db);
  return numAffectedRows === 1n;
}

/** Records when files were last saved. While the workspace runs, the reason says what could not be saved. */
export async function noteState(
  db: Queries,
  { id, epoch }: Claim,
  { savedAt, reason }: { savedAt: Date | null; reason: string | null },
): Promise<void> {
  await sql`
    update workspaces set saved_at = greatest(saved_at, ${savedAt}::timestamptz), reason = ${reason}
    where id = ${id} and epoch = ${epoch}`.execute(db);
}

/**
 * Records that the run is over. With a reason, the workspace has failed and does not start again by itself. Neither does
 * one that was stopped because its project was archived or deleted, or its owner suspended. False if another worker runs
 * it.
 */
export async function noteStopped(trx: Trx, { id, epoch }: Claim, reason: string | null): Promise<boolean> {
  const goesOn = sql`(wanted and exists (
    select from projects p join users u on u.id = p.owner_id
    where p.id = workspaces.project_id and p.deleted_at is null and p.status = 'active'
      and u.suspended_at is null))`;
  const { numAffectedRows } = await sql`
    update workspaces set worker_id = null, lease_until = null, host = null, port = null, reason = ${reason},
      wanted = ${reason === null} and ${goesOn},
      status = case when ${reason !== null} then 'failed' when ${goesOn} then 'starting' else 'sleeping' end,
      running_seconds = running_seconds
        + case when status = 'running' then extract(epoch from clock_timestamp() - started_at) else 0 end
    where id = ${id} and epoch = ${epoch}`.execute(trx);
  if (numAffectedRows === 1n) {
    await sql`update workspace_ports set is_listening = false where workspace_id = ${id}`.execute(trx);
  }
  return numAffectedRows === 1n;
}

/** Puts the workspace to sleep, unless somebody has used it since this worker looked. */
export async function sleepIfUnused(db: Queries, { id, epoch }: Claim, idleSeconds: number): Promise<void> {
  await sql`
    update workspaces set wanted = false where id = ${id} and epoch = ${epoch}
      and last_used_at < clock_timestamp() - make_interval(secs => ${idleSeconds})`.execute(db);
}

/** Returns those of the ids whose workspaces still exist. */
export async function listExisting(db: Queries, ids: string[]): Promise<Set<string>> {
  const rows = await allRows<{ id: string }>(db)`
    select w.id from workspaces w join projects p on p.id = w.project_id
    where w.id = any(${ids}) and p.deleted_at is null`;
  return new Set(rows.map((row) => row.id));
}
