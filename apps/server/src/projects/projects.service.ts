import {
  type CreateProject,
  defaultProjectSettings,
  type Project,
  type ProjectDetail,
  type ProjectListItem,
  type ProjectListQuery,
} from '@bottega/contract';
import { appendEvent } from '../events/index.ts';
import type { PlanLimits } from '../foundation/config/index.ts';
import type { Db, PointReads, Trx } from '../foundation/db/index.ts';
import { type Cause, forbidden, invalid, type Principal } from '../foundation/http/index.ts';
import { isId, newId } from '../foundation/ids.ts';
import { projectEventData } from './projects.events.ts';
import { enqueueImport } from './projects.import.ts';
import * as listing from './projects.listing.sql.ts';
import { mustSee } from './projects.policy.ts';
import { listOfAnybody } from './projects.public.sql.ts';
import * as rows from './projects.sql.ts';
import type { Beginning, FromTemplate } from './projects.template.ts';
import { type AppUrl, asProject, asProjectDetail, asProjectListItem, asPublicProject } from './projects.view.ts';

export async function readProject(
  db: PointReads,
  { userId }: Principal,
  id: string,
  appUrl: AppUrl,
): Promise<ProjectDetail> {
  const row = isId('prj', id) ? await rows.findProject(db, id, userId) : undefined;
  return asProjectDetail(mustSee(row, userId), userId, appUrl);
}

export async function listProjects(
  { db, reads }: { db: Db; reads: PointReads },
  { userId }: Principal,
  query: ProjectListQuery,
  appUrl: AppUrl,
): Promise<{ data: ProjectListItem[]; total: number }> {
  if (query.visibility === 'public' || query.starred) {
    const found = await listOfAnybody(db, userId, query);
    return { data: found.rows.map((row) => asPublicProject(row, userId, appUrl)), total: found.total };
  }
  const { rows: page, total } = await listing.listPage(listing.isNearPage(query) ? reads : db, userId, query);
  return { data: page.map((row) => asProjectListItem(row, appUrl)), total };
}

type Owner = Pick<Principal, 'userId' | 'plan'>;
type Creation = { limits: PlanLimits; cause: Cause };

export async function createProject(
  trx: Trx,
  principal: Principal,
  input: CreateProject,
  { fromTemplate, ...creation }: Creation & { fromTemplate: FromTemplate },
): Promise<Project> {
  return begin(trx, principal, input, { ...creation, find: () => beginningOf(trx, principal, input, fromTemplate) });
}

/** For whoever brings the files along: nothing is fetched, and no template is filled in. */
export function createBareProject(
  trx: Trx,
  owner: Owner,
  input: Pick<CreateProject, 'name' | 'description' | 'settings'>,
  creation: Creation,
): Promise<Project> {
  return begin(trx, owner, input, { ...creation, find: async () => null });
}

async function begin(
  trx: Trx,
  owner: Owner,
  input: CreateProject,
  { limits, cause, find }: Creation & { find: () => Promise<Beginning | null> },
): Promise<Project> {
  await mustHaveRoom(trx, owner, limits);
  const beginning = await find();
  const project = await rows.insertProject(trx, {
    id: newId('prj'),
    owner_id: owner.userId,
    name: input.name,
    description: input.description ?? '',
    ...defaultProjectSettings,
    ...beginning?.settings,
    ...input.settings,
    repository_url: input.repository?.url ?? null,
    repository_branch: input.repository ? (input.repository.branch ?? 'main') : null,
    template_id: input.template ?? null,
    template_version: beginning?.version ?? null,
  });
  await listing.listProject(trx, project);
  if (project.repository_url !== null) {
    await enqueueImport(trx, project.id, cause);
    project.repository_status = 'syncing';
  }
  await appendEvent(trx, { ...about(project), type: 'project.created', data: projectEventData(project) }, cause);
  await beginning?.fill({ projectId: project.id, cause });
  return asProject(project);
}

async function beginningOf(
  trx: Trx,
  principal: Principal,
  { template: id, template_variables: values, name, description }: CreateProject,
  fromTemplate: FromTemplate,
): Promise<Beginning | null> {
  if (id === undefined) {
    if (values !== undefined) throw invalid('template_variables', 'belong to a template');
    return null;
  }
  return fromTemplate(trx, principal, { id, values: values ?? {}, name, description });
}

/** More creates of one user than this are not in progress at once: the pools of several nodes have fewer connections. */
const mostInProgress = 100;

/**
 * Creates in progress do not count each other. Where there may not be room for all of them they take turns; further
 * from the limit they must not wait for each other.
 */
export async function mustHaveRoom(trx: Trx, { userId, plan }: Owner, { projects: most }: PlanLimits): Promise<void> {
  if (most === null) return;
  if ((await listing.countOwnedProjects(trx, userId)) < most - mostInProgress) return;
  await listing.lockOwnedProjects(trx, userId);
  if ((await listing.countOwnedProjects(trx, userId)) >= most) {
    throw forbidden(`The ${plan} plan allows ${most} projects`);
  }
}

const about = (project: rows.ProjectRow) => ({ accountId: project.owner_id, projectId: project.id });
