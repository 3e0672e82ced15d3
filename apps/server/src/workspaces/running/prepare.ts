import { SandboxError } from '../../deployments/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { type Base, LayerProblem, type LayerTools, openBase, type Run } from '../layers/index.ts';
import type { WantedWorkspace } from '../state/index.ts';
import { treeOf } from '../sync/index.ts';
import { noteTree, readTree } from './built-on.ts';
import type { WorkspaceFile } from './declared.ts';
import type { WorkspaceDisk } from './disk.ts';
import { readWorkspaceFile } from './workspace-file.ts';

type Tools = LayerTools & { disk: WorkspaceDisk };

/** The directories of a workspace on this worker, and what they are built on. */
export type Prepared = {
  at: HeadAt;
  directory: string;
  isNew: boolean;
  tree: Buffer | null;
  declared: WorkspaceFile;
  openBase(): Promise<Base>;
  run: Run;
};

/** Null if the branch is gone. */
export async function prepare(tools: Tools, workspace: WantedWorkspace, claim: Run['claim']): Promise<Prepared | null> {
  const { db, disk } = tools;
  const { project_id: projectId, branch, layer_id: layerId, packed_home: packedHome } = workspace;
  const at = { projectId, branch };
  // The workspace has run elsewhere since, so the files on this disk are older than those that are stored.
  if (packedHome !== null && packedHome !== (await disk.home())) await disk.remove(projectId, claim.id);
  const { directory, isNew } = await disk.open(projectId, claim.id);
  const tree = isNew ? await newTree(db, at, directory) : await readTree(directory);
  if (tree === undefined) return null;
  const declared = await readWorkspaceFile(db, at);
  const run = { claim, projectId, directory, isNew, layerId, setup: declared.setup, tree };
  const opened = () =>
    openBase(tools, run).catch(async (error: unknown) => {
      const isLost = error instanceof LayerProblem;
      // The next start must not take a directory without these files for the workspace's own.
      if (isNew || isLost) await disk.remove(projectId, claim.id);
      throw isLost ? new SandboxError('This worker has lost files of the workspace; start it again') : error;
    });
  return { at, directory, isNew, tree, declared, run, openBase: opened };
}

/** Undefined if the branch is gone. */
async function newTree(db: Db, at: HeadAt, directory: string): Promise<Buffer | null | undefined> {
  const tree = await treeOf(db, at);
  if (tree !== undefined) await noteTree(directory, tree);
  return tree;
}
