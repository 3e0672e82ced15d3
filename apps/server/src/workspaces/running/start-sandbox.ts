import { type BuildDriver, inheritedVariables, type Running } from '../../deployments/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import type * as rows from '../state/index.ts';
import { createGitLayer, gitLayerOf } from './git-layer.ts';
import type { GivenWorkspace } from './given-to-run.ts';
import { languagesSeen } from './languages.ts';
import type { RunTools } from './run-tools.ts';

/** `below`: directories with files that the branch does not have. */
type Begun = { driver: BuildDriver; directory: string; isNew: boolean; tree: Buffer | null; below: string[] };

/** Starts the sandbox with the workspace's files, the development variables of the project, and the agent. */
export async function startSandbox(
  tools: RunTools,
  workspace: GivenWorkspace,
  { epoch, ...begun }: Begun & { epoch: number },
): Promise<Running> {
  const { db } = tools;
  const [variables, layers] = await Promise.all([
    inheritedVariables(db, tools.box, { projectId: workspace.project_id, environment: 'development' }),
    layersOf(tools, workspace, begun),
  ]);
  return begun.driver.start({
    id: `${workspace.id}_${epoch}`,
    directory: begun.directory,
    command: '',
    environment: { ...variables, BOTTEGA_WORKSPACE: workspace.id },
    limits: { ...tools.limits, seconds: null, endsOne: true },
    port: null,
    isOffline: workspace.given.network === 'off',
    layers,
    agent: { ...tools.agent(), languages: await languagesSeen(tools) },
  });
}

/** The layers below the workspace's own changes: the repository and the files. */
async function layersOf(
  tools: RunTools,
  workspace: rows.WantedWorkspace,
  { driver, directory, isNew, tree, below }: Begun,
): Promise<string[]> {
  if (driver.keeps && !isNew) return [];
  const { db, disk } = tools;
  const at = { projectId: workspace.project_id, branch: workspace.branch };
  const checkedOut = tree === null ? disk.empty(at.projectId) : disk.tree(db, at.projectId, tree);
  const [files, git] = await Promise.all([
    checkedOut,
    isNew ? newRepository(tools, workspace, { at, directory, tree, files: checkedOut }) : gitLayerOf(directory),
  ]);
  // A driver that keeps the files itself already has those of `below`.
  return [...(git === null ? [] : [git]), files, ...(driver.keeps ? [] : below)];
}

type NewRepository = Parameters<typeof createGitLayer>[1];

/**
 * The layer with a new repository. Null if the project has no version control, or if git does not work on this machine.
 * The workspace then runs without a repository.
 */
async function newRepository(
  { db, repository, onError }: RunTools,
  { created_by }: rows.WantedWorkspace,
  wanted: NewRepository,
): Promise<string | null> {
  try {
    const { version_control } = await readableProject(db, wanted.at.projectId, created_by);
    return version_control ? await createGitLayer({ db, ...repository }, wanted) : null;
  } catch (error) {
    // An AppError is not reported here: a machine without git reports that at its start.
    if (!(error instanceof AppError)) onError(error, 'failed to create the repository of a workspace');
    return null;
  }
}
