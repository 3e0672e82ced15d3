import { reasonSentence } from '@bottega/contract';
import { type BuildDriver, isInEngine, type Sandbox, SandboxError } from '../../deployments/index.ts';
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
  driver: BuildDriver;
  at: HeadAt;
  directory: string;
  isNew: boolean;
  tree: Buffer | null;
  declared: WorkspaceFile;
  openBase(): Promise<Base>;
  run: Run;
  /** How this run's layers are stored and placed. */
  layering: LayerTools;
};

/** Prepares the workspace's directories for a run. Null if the branch is gone. */
export async function prepare(tools: Tools, workspace: WantedWorkspace, claim: Run['claim']): Promise<Prepared | null> {
  const { db, disk } = tools;
  const { project_id: projectId, branch, layer_id: layerId, packed_home: packedHome } = workspace;
  const at = { projectId, branch };
  const driver = await driverOf(tools.sandbox);
  // The workspace has run on another disk since, so the files on this disk are older than those that are stored.
  if (packedHome !== null && packedHome !== (await disk.home())) await disk.remove(projectId, claim.id);
  const { directory, isNew } = await openDirectory(disk, driver, { projectId, id: claim.id });
  const tree = isNew ? await newTree(db, at, directory) : await readTree(directory);
  if (tree === undefined) return null;
  const declared = await readWorkspaceFile(db, at);
  const run = { claim, projectId, directory, isNew, layerId, setup: declared.setup, tree };
  const layering = driver.keeps ? { ...tools, place: async () => directory } : tools;
  const withBase = () =>
    openBase(driver.keeps && isNew ? { ...tools, place: placeIn(directory) } : layering, run).catch(
      async (error: unknown) => {
        const isLost = error instanceof LayerProblem;
        // Without these files, the directory must be removed. Otherwise the next start would take it for the
        // workspace's own.
        if (isNew || isLost) await disk.remove(projectId, claim.id);
        throw isLost ? new SandboxError(reasonSentence('workspace_files_lost')) : error;
      },
    );
  return { driver, at, directory, isNew, tree, declared, run, layering, openBase: withBase };
}

async function driverOf(sandbox: Sandbox): Promise<BuildDriver> {
  const { workspaces: problem } = await sandbox.capabilities();
  if (problem !== null) throw new SandboxError(problem);
  return sandbox.driver();
}

/** Unpacks a layer into the workspace's own directory. With this driver, workspaces cannot share a copy. */
const placeIn =
  (directory: string): LayerTools['place'] =>
  async (_projectId, _layerId, fill) => {
    await fill(directory);
    return directory;
  };

type Place = { projectId: string; id: string };

/**
 * Opens the workspace's directory. Replaces it by a new one if the driver does not have its files: another driver has
 * run the workspace, or an engine has lost them.
 */
async function openDirectory(disk: WorkspaceDisk, { keeps }: BuildDriver, { projectId, id }: Place) {
  const found = await disk.open(projectId, id);
  const isThere = found.isNew || (keeps ? await keeps.holds(found.directory) : !(await isInEngine(found.directory)));
  if (isThere) return found;
  await disk.remove(projectId, id);
  return disk.open(projectId, id);
}

/** The branch's tree, which is also noted in the directory. Undefined if the branch is gone. */
async function newTree(db: Db, at: HeadAt, directory: string): Promise<Buffer | null | undefined> {
  const tree = await treeOf(db, at);
  if (tree !== undefined) await noteTree(directory, tree);
  return tree;
}
