import {
  defaultProjectSettings,
  type PatchProject,
  type Project,
  type ProjectSettings,
  type ReplaceProject,
} from '@bottega/contract';
import { appendEvent } from '../events/index.ts';
import { type Db, type Trx, transaction } from '../foundation/db/index.ts';
import { type Cause, invalid, type Principal } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import { recordAudit } from '../identity/audit/index.ts';
import { mustBeActive, mustHave, mustSee } from './access/index.ts';
import { changesOf, projectEventData } from './projects.events.ts';
import { enqueueImport } from './projects.import.ts';
import { relistProject } from './projects.listing.sql.ts';
import { lockProject, type ProjectChange, type ProjectRow, updateProject } from './projects.sql.ts';
import { asProject } from './projects.view.ts';

/** The requested change to a project. Absent fields are left unchanged. */
type Wanted = ProjectChange;

/**
 * The change of a PUT: an absent description and absent settings return to their defaults. Status and repository stay.
 */
export function wantedByReplace(input: ReplaceProject) {
  return (): Wanted => ({
    name: input.name,
    description: input.description ?? '',
    ...defaultProjectSettings,
    ...input.settings,
    ...(input.status && { status: input.status }),
    ...(input.repository && repositoryColumns(input.repository.url, input.repository.branch ?? 'main')),
    ...(input.repository === null && noRepository),
  });
}

/** The change of a PATCH (RFC 7396): null resets a value to its default. */
export function wantedByPatch(input: PatchProject) {
  return (project: ProjectRow): Wanted => ({
    ...(input.name !== undefined && { name: input.name }),
    ...(input.description !== undefined && { description: input.description ?? '' }),
    ...(input.status && { status: input.status }),
    ...patchedSettings(input.settings),
    ...patchedRepository(project, input.repository),
  });
}

function patchedSettings(patch: PatchProject['settings']): Partial<ProjectSettings> {
  if (patch === undefined) return {};
  if (patch === null) return defaultProjectSettings;
  const names = Object.keys(defaultProjectSettings) as (keyof ProjectSettings)[];
  return Object.fromEntries(
    names
      .filter((name) => patch[name] !== undefined)
      .map((name) => [name, patch[name] ?? defaultProjectSettings[name]]),
  );
}

function patchedRepository(project: ProjectRow, patch: PatchProject['repository']): ProjectChange {
  if (patch === undefined) return {};
  if (patch === null) return noRepository;
  const url = patch.url ?? project.repository_url;
  if (url === null) throw invalid('repository.url', 'is required');
  const branch = patch.branch === undefined ? project.repository_branch : patch.branch;
  return repositoryColumns(url, branch ?? 'main');
}

const noRepository = { repository_url: null, repository_branch: null } as const;
const repositoryColumns = (url: string, branch: string) => ({ repository_url: url, repository_branch: branch });

/**
 * Fields that can be changed with the right to write. Everything else requires the right to manage, but only if its
 * value would really change.
 */
const needsWrite = new Set(['name', 'description']);

type ProjectUpdate = {
  id: string;
  wanted: (project: ProjectRow) => Wanted;
  cause: Cause;
  historyBegins: HistoryBegins;
};

/**
 * Called when version control is turned on. The current files become a commit. This function is passed in, because this
 * slice must not import the slice of files.
 */
export type HistoryBegins = (trx: Trx, about: { projectId: string; userId: string; cause: Cause }) => Promise<void>;

export async function changeProject(
  db: Db,
  { userId }: Principal,
  { id, wanted, cause, historyBegins }: ProjectUpdate,
): Promise<Project> {
  return transaction(db, async (trx) => {
    const before = mustSee(isId('prj', id) ? await lockProject(trx, id, userId) : undefined, userId);
    const target = wanted(before);
    const change = onlyDifferences(before, target);
    const fields = Object.keys(change);
    if (fields.length === 0 || fields.some((field) => needsWrite.has(field))) mustHave(before, userId, 'write');
    if (fields.some((field) => !needsWrite.has(field))) mustHave(before, userId, 'manage');
    if (target.status !== 'active') mustBeActive(before);
    if (fields.length === 0) return asProject(before);
    const isElsewhere = 'repository_url' in change || 'repository_branch' in change;
    // The result of a fetch from the old address says nothing about the new one.
    if (isElsewhere)
      Object.assign(change, { repository_last_sync: null, repository_status: 'idle', repository_error: null });
    const after: ProjectRow = { ...before, ...change, updated_at: await updateProject(trx, id, change) };
    await relistProject(trx, after);
    if (isElsewhere && after.repository_url !== null) {
      await enqueueImport(trx, id, cause);
      after.repository_status = 'syncing';
    }
    if (change.version_control === true) await historyBegins(trx, { projectId: id, userId, cause });
    if (change.public === true) {
      await recordAudit(trx, { action: 'project.made_public', accountId: before.owner_id, subjectId: id }, cause);
    }
    await appendEvent(
      trx,
      {
        type: 'project.updated',
        accountId: before.owner_id,
        projectId: id,
        data: { ...projectEventData(after), changes: changesOf(asProject(before), asProject(after)) },
      },
      cause,
    );
    return asProject(after);
  });
}

function onlyDifferences(before: ProjectRow, target: Wanted): ProjectChange {
  const entries = Object.entries(target).filter(([field, value]) => before[field as keyof ProjectRow] !== value);
  return Object.fromEntries(entries);
}
