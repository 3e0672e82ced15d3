import type { Db } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import type * as rows from '../state/index.ts';
import type { WorkspaceDisk } from './disk.ts';
import { createGitLayer, type GitSource, gitLayerOf } from './git-layer.ts';

type LayerTools = {
  db: Db;
  disk: WorkspaceDisk;
  repository: Omit<GitSource, 'db'>;
  onError(error: unknown, what: string): void;
};

type Begun = { directory: string; isNew: boolean; tree: Buffer | null };

/** The repository and the files that the workspace's own changes are put upon. */
export async function layersOf(
  tools: LayerTools,
  workspace: rows.WantedWorkspace,
  { directory, isNew, tree }: Begun,
): Promise<string[]> {
  const { db, disk } = tools;
  const at = { projectId: workspace.project_id, branch: workspace.branch };
  const files = tree === null ? await disk.empty(at.projectId) : await disk.tree(db, at.projectId, tree);
  const git = isNew
    ? await newRepository(tools, workspace, { at, directory, tree, files })
    : await gitLayerOf(directory);
  return git === null ? [files] : [git, files];
}

type NewRepository = Parameters<typeof createGitLayer>[1];

/** Null if the project has no history, or git does not work on this machine: everything else does. */
async function newRepository(
  { db, repository, onError }: LayerTools,
  { created_by }: rows.WantedWorkspace,
  wanted: NewRepository,
): Promise<string | null> {
  try {
    const { version_control } = await readableProject(db, wanted.at.projectId, created_by);
    return version_control ? await createGitLayer({ db, ...repository }, wanted) : null;
  } catch (error) {
    // A machine without git says so at its start.
    if (!(error instanceof AppError)) onError(error, 'failed to create the repository of a workspace');
    return null;
  }
}
