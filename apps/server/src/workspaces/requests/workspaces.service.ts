import type { CreateWorkspace, Plan, Workspace, WorkspaceMode } from '@bottega/contract';
import type { Bell } from '../../deployments/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, conflict, forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { workspaceSecondsOf } from '../../identity/users/index.ts';
import { mustHave } from '../../projects/access/index.ts';
import { findOwner, lockWritableProject, projectOfMember, writableProject } from '../../projects/index.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import { commitToBranchFrom, makeBranch, resolveBranch } from '../../repository/store/index.ts';
import { holdLayer } from '../layers/index.ts';
import * as rows from '../state/index.ts';
import { mustFindSnapshot, type SnapshotRow } from '../state/index.ts';

export type WorkspaceTools = {
  db: Db;
  bell: Bell;
  idleSeconds: number;
  /** Maximum number of running workspaces of one account. */
  limits: Record<Plan, number | null>;
  /** Maximum number of hours for which workspaces of one account can run in a month. */
  hours: Record<Plan, number | null>;
  /** Why no workspace can run in this installation. Null if workspaces can run. */
  problem(): Promise<string | null>;
  publicUrl(): string;
};

export type Which = { projectId: string; id: string };

const mostInProject = 50;
const startMs = 60_000;

export async function createWorkspace(
  tools: WorkspaceTools,
  trx: Trx,
  principal: Principal,
  projectId: string,
  { branch: given, mode = 'follow', name, from_snapshot: snapshotId }: CreateWorkspace,
): Promise<Workspace> {
  await mustBePossible(tools);
  await lockWritableProject(trx, projectId, principal.userId);
  const snapshot = snapshotId === undefined ? null : await mustFindSnapshot(trx, projectId, snapshotId);
  const from = startOf({ given, mode, snapshot });
  const layerId = snapshot?.layer_id ?? null;
  return insertNew(tools, trx, principal, { projectId, from, mode, name, layerId });
}

type New = {
  projectId: string;
  /** The branch or, with mode `own`, also a commit. */
  from: string;
  mode: WorkspaceMode;
  /** The name of the workspace's own branch, if it gets one. */
  branch?: string | undefined;
  name: string | undefined;
  /** The layer with files that the workspace begins with in addition to those of the branch. */
  layerId: string | null;
};

/** Creates a workspace. The caller must have the right to change the project, and must have locked it. */
export async function insertNew(
  tools: WorkspaceTools,
  trx: Trx,
  principal: Principal,
  { projectId, from, mode, branch, name, layerId }: New,
): Promise<Workspace> {
  if ((await rows.countInProject(trx, projectId)) >= mostInProject) {
    throw conflict(`A project can have at most ${mostInProject} workspaces`);
  }
  await mustHaveRoom(tools, trx, projectId, null);
  const id = newId('wks');
  const isKnown = isMain({ branch: from }) || mode === 'own' || (await resolveBranch(trx, projectId, from));
  if (!isKnown) throw notFound('Branch');
  const own = mode === 'own' ? await ownBranch(trx, { id, projectId, from, name: branch }) : from;
  const row = await rows.insertWorkspace(trx, {
    id,
    project_id: projectId,
    created_by: principal.userId,
    name: name ?? own,
    branch: own,
    mode,
    layer_id: layerId && ((await holdLayer(trx, projectId, layerId)) ?? null),
  });
  return rows.workspaceView(row, tools.idleSeconds);
}

type Start = { given: string | undefined; mode: WorkspaceMode; snapshot: SnapshotRow | null };

/**
 * A workspace that follows the snapshot's branch starts with the current files of that branch. One with its own branch
 * starts with the commit of the snapshot.
 */
function startOf({ given, mode, snapshot }: Start): string {
  if (given !== undefined || snapshot === null) return given ?? 'main';
  return mode === 'own' ? (snapshot.commit_sha?.toString('hex') ?? snapshot.branch) : snapshot.branch;
}

type Own = { id: string; projectId: string; from: string; name: string | undefined };

/** A branch for this workspace alone, with a name that nobody else uses. */
async function ownBranch(trx: Trx, { id, projectId, from, name }: Own): Promise<string> {
  const branch = name ?? `workspace/${id.slice(-8)}`;
  const commit = await commitToBranchFrom(trx, projectId, from, 'branch');
  await makeBranch(trx, { projectId, branch }, commit, from);
  return branch;
}

async function mustBePossible({ problem }: WorkspaceTools): Promise<void> {
  const reason = await problem();
  if (reason !== null) throw new AppError('SERVICE_UNAVAILABLE', reason);
}

/**
 * Throws if the owner's limits leave no room. They apply to all projects of the account together, whoever started the
 * workspaces.
 */
async function mustHaveRoom(
  { limits, hours }: WorkspaceTools,
  trx: Trx,
  projectId: string,
  exceptId: string | null,
): Promise<void> {
  const owner = await findOwner(trx, projectId);
  if (!owner) throw notFound('Project');
  const { userId, plan } = owner;
  await rows.holdWorkspacesOf(trx, userId);
  const limit = limits[plan];
  if (limit !== null && (await rows.countRunning(trx, userId, exceptId)) >= limit) {
    throw forbidden(`The ${plan} plan allows ${limit} running workspaces; put another one to sleep first`);
  }
  const most = hours[plan];
  if (most !== null && (await workspaceSecondsOf(trx, userId)) >= most * 3600) {
    throw forbidden(`Your workspaces have used all ${most} hours that the ${plan} plan includes per month`);
  }
}

export async function listWorkspaces({ db, idleSeconds }: WorkspaceTools, principal: Principal, projectId: string) {
  await projectOfMember(db, projectId, principal.userId);
  return (await rows.listWorkspaces(db, projectId)).map((row) => rows.workspaceView(row, idleSeconds));
}

/** The workspace, for a member of its project. */
export async function workspaceOfMember(
  db: Db,
  principal: Principal,
  { projectId, id }: Which,
): Promise<rows.WorkspaceRow> {
  await projectOfMember(db, projectId, principal.userId);
  return mustFind(db, { projectId, id });
}

/** The workspace, for a member who may change the project: a command can change its files. */
export async function workspaceOfWriter(
  db: Db,
  principal: Principal,
  { projectId, id }: Which,
): Promise<rows.WorkspaceRow> {
  await writableProject(db, projectId, principal.userId);
  const row = await mustFind(db, { projectId, id });
  rows.mustNotBeStopped(row, principal);
  return row;
}

/**
 * The workspace, for a member who may change the project. The project may be archived, because its workspaces can still
 * be stopped and deleted.
 */
async function workspaceToEnd(db: Db, principal: Principal, { projectId, id }: Which): Promise<rows.WorkspaceRow> {
  const project = await projectOfMember(db, projectId, principal.userId);
  mustHave(project, principal.userId, 'write');
  const row = await mustFind(db, { projectId, id });
  rows.mustNotBeStopped(row, principal);
  return row;
}

async function mustFind(db: Db, { projectId, id }: Which): Promise<rows.WorkspaceRow> {
  const row = isId('wks', id) ? await rows.findWorkspace(db, projectId, id) : undefined;
  if (!row) throw notFound('Workspace');
  return row;
}

export async function readWorkspace(
  { db, idleSeconds }: WorkspaceTools,
  principal: Principal,
  which: Which,
): Promise<Workspace> {
  return rows.workspaceView(await workspaceOfMember(db, principal, which), idleSeconds);
}

/** Starts the workspace if it sleeps. Resolves once it runs. Somebody who loses their rights meanwhile is refused. */
export async function wake(tools: WorkspaceTools, principal: Principal, which: Which): Promise<rows.RunningWorkspace> {
  const { db } = tools;
  const find = () => workspaceOfWriter(db, principal, which);
  const found = await find();
  if (rows.isReachable(found)) return found;
  if (!found.wanted || found.status === 'failed') {
    await mustBePossible(tools);
    await transaction(db, async (trx) => {
      await lockWritableProject(trx, which.projectId, principal.userId);
      await mustHaveRoom(tools, trx, which.projectId, which.id);
      await rows.wantWorkspace(trx, which.id);
    });
  }
  return untilRunning(tools, find);
}

async function untilRunning(
  { bell }: WorkspaceTools,
  find: () => Promise<rows.WorkspaceRow>,
): Promise<rows.RunningWorkspace> {
  bell.ring(rows.wantedBell);
  const deadline = Date.now() + startMs;
  for (;;) {
    const row = await find();
    if (rows.isReachable(row)) return row;
    if (row.status === 'failed') throw conflict(row.reason ?? 'The workspace could not start');
    if (Date.now() > deadline) {
      throw new AppError('SERVICE_UNAVAILABLE', 'No worker could start the workspace in time; try again later');
    }
    await bell.wait(row.id, 100);
  }
}

/** Starts a sleeping workspace because somebody asks for one of its ports. Resolves with a text if it cannot start. */
export async function wakeForVisitor(
  tools: WorkspaceTools,
  row: rows.WorkspaceRow,
): Promise<rows.RunningWorkspace | string> {
  const { db } = tools;
  if (row.status === 'failed') return row.reason ?? 'The workspace could not start';
  // No worker starts the workspace of a suspended account, so the visitor is told at once.
  const owner = await findOwner(db, row.project_id);
  if (!(await rows.findPerson(db, owner.userId))) return 'The workspace cannot start, because its account is suspended';
  try {
    if (!row.wanted) {
      await mustBePossible(tools);
      await transaction(db, async (trx) => {
        // An archived project runs nothing, whoever asks.
        await lockWritableProject(trx, row.project_id, owner.userId);
        await mustHaveRoom(tools, trx, row.project_id, row.id);
        await rows.wantWorkspace(trx, row.id);
      });
    }
    return await untilRunning(tools, () => mustFind(db, { projectId: row.project_id, id: row.id }));
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

export async function sleepWorkspace(tools: WorkspaceTools, principal: Principal, which: Which): Promise<Workspace> {
  const { db, idleSeconds } = tools;
  await workspaceToEnd(db, principal, which);
  await stopped(tools, which);
  return rows.workspaceView(await mustFind(db, which), idleSeconds);
}

export async function deleteWorkspace(tools: WorkspaceTools, principal: Principal, which: Which): Promise<void> {
  const { db } = tools;
  await workspaceToEnd(db, principal, which);
  await rows.markLeaving(db, which.id);
  await stopped(tools, which);
  await rows.deleteWorkspace(db, which.id);
}

/** Stops the workspace and waits until no worker runs it. If the worker has died, its lease ends by itself. */
async function stopped({ db, bell }: WorkspaceTools, which: Which): Promise<void> {
  await rows.unwantWorkspace(db, which.id);
  bell.ring(rows.wantedBell);
  const deadline = Date.now() + startMs;
  while (await rows.isHeld(db, which.id)) {
    if (Date.now() > deadline) throw new AppError('SERVICE_UNAVAILABLE', 'The workspace did not stop in time');
    await bell.wait(which.id, 100);
  }
}
