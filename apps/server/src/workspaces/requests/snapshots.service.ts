import type { CreateSnapshot, ForkWorkspace, Workspace, WorkspaceSnapshot } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { conflict, notFound, type Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { lockWritableProject, projectOfMember, writableProject } from '../../projects/index.ts';
import { resolveBranch } from '../../repository/store/index.ts';
import { holdLayer } from '../layers/index.ts';
import type { Links } from '../links/index.ts';
import * as rows from '../state/index.ts';
import { answerOf } from './commands.service.ts';
import { insertNew, type Which, type WorkspaceTools, workspaceOfWriter } from './workspaces.service.ts';

const mostInProject = 20;

/**
 * Creates a workspace from the files of another one. It costs no more than an empty workspace, because both then share
 * the files that were stored last.
 */
export async function forkWorkspace(
  tools: WorkspaceTools,
  trx: Trx,
  principal: Principal,
  { projectId, id, branch, name }: Which & ForkWorkspace,
): Promise<Workspace> {
  await lockWritableProject(trx, projectId, principal.userId);
  const origin = await rows.findWorkspace(trx, projectId, id);
  if (!origin) throw notFound('Workspace');
  const layerId = origin.layer_id;
  return insertNew(tools, trx, principal, { projectId, from: origin.branch, mode: 'own', branch, name, layerId });
}

/** A running workspace stores its files first. The files of a sleeping one were stored when it went to sleep. */
export async function storeFiles(
  { db, links }: WorkspaceTools & { links: Links },
  principal: Principal,
  which: Which,
): Promise<void> {
  const found = await workspaceOfWriter(db, principal, which);
  if (rows.isReachable(found)) await answerOf((request) => links.open(found, request), { kind: 'keep' });
  else if (found.layer_problem !== null) throw conflict(`${found.layer_problem}. Start the workspace first.`);
}

export async function createSnapshot(
  trx: Trx,
  principal: Principal,
  { projectId, id, name }: Which & CreateSnapshot,
): Promise<WorkspaceSnapshot> {
  await lockWritableProject(trx, projectId, principal.userId);
  const workspace = await rows.findWorkspace(trx, projectId, id);
  if (!workspace) throw notFound('Workspace');
  if ((await rows.countSnapshots(trx, projectId)) >= mostInProject) {
    throw conflict(`A project can have at most ${mostInProject} snapshots; delete another one first`);
  }
  const { branch, layer_id } = workspace;
  const row = await rows.insertSnapshot(trx, {
    id: newId('snp'),
    project_id: projectId,
    workspace_id: id,
    name,
    branch,
    commit_sha: (await resolveBranch(trx, projectId, branch)) ?? null,
    layer_id: layer_id && ((await holdLayer(trx, projectId, layer_id)) ?? null),
  });
  return rows.snapshotView(row);
}

export async function listSnapshots({ db }: WorkspaceTools, principal: Principal, projectId: string) {
  await projectOfMember(db, projectId, principal.userId);
  return (await rows.listSnapshots(db, projectId)).map(rows.snapshotView);
}

/** The next cleaning deletes the stored files, unless a workspace still needs them. */
export async function deleteSnapshot(
  { db }: WorkspaceTools,
  principal: Principal,
  { projectId, id }: Which,
): Promise<void> {
  await writableProject(db, projectId, principal.userId);
  await rows.mustFindSnapshot(db, projectId, id);
  await rows.deleteSnapshot(db, projectId, id);
}
