import { type CreateProject, defaultProjectSettings, type Project } from '@bottega/contract';
import { appendCausedEvents, type CausedEvent } from '../events/index.ts';
import type { PlanLimits } from '../foundation/config/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import { type Cause, invalid, type Principal } from '../foundation/http/index.ts';
import { checkFields, type FieldChecks, gather } from '../foundation/http/request/field-checks.ts';
import { newId } from '../foundation/ids.ts';
import { projectEventData } from './projects.events.ts';
import { enqueueImport } from './projects.import.ts';
import { insertProject, type NewProject } from './projects.insert.sql.ts';
import { mustHaveRoom, type Owner } from './projects.room.ts';
import type { ProjectRow } from './projects.sql.ts';
import type { Beginning, FromTemplate } from './projects.template.ts';
import { asProject } from './projects.view.ts';

type Creation = { limits: PlanLimits; cause: Cause };

export async function createProject(
  trx: Trx,
  principal: Principal,
  input: CreateProject,
  { fromTemplate, ...creation }: Creation & { fromTemplate: FromTemplate },
): Promise<Project> {
  return begin(trx, principal, input, { ...creation, find: () => beginningOf(trx, principal, input, fromTemplate) });
}

/** The input for an empty project, which has only a name, a description and settings. */
type EmptyInput = Pick<CreateProject, 'name' | 'description' | 'settings'> & { forked_from?: string };

/** Creates a project without files, for callers that add the files themselves. */
export function createEmptyProject(trx: Trx, owner: Owner, input: EmptyInput, creation: Creation): Promise<Project> {
  return begin(trx, owner, input, { ...creation, find: async () => null });
}

async function begin(
  trx: Trx,
  owner: Owner,
  input: CreateProject & EmptyInput,
  { limits, cause, find }: Creation & { find: () => Promise<Beginning | null> },
): Promise<Project> {
  await mustHaveRoom(trx, owner, limits);
  const beginning = await find();
  const project = await insertProject(trx, newProject(owner, input, beginning));
  if (project.repository_url !== null) {
    await enqueueImport(trx, project.id, cause);
    project.repository_status = 'syncing';
  }
  await appendCausedEvents(trx, [createdEvent(project, cause)]);
  await beginning?.fill({ projectId: project.id, cause });
  return asProject(project);
}

const newProject = (owner: Owner, input: CreateProject & EmptyInput, beginning: Beginning | null): NewProject => ({
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
  forked_from: input.forked_from ?? null,
});

const createdEvent = (project: ProjectRow, cause: Cause): CausedEvent => ({
  type: 'project.created',
  accountId: project.owner_id,
  projectId: project.id,
  data: projectEventData(project),
  cause,
});

/**
 * Checks the fields that say what a project starts with: nothing, the files of a template, or those of a repository.
 */
export const beginningChecks: FieldChecks<CreateProject> = {
  template_variables(_values, { template }) {
    if (template === undefined) throw invalid('template_variables', 'require a template');
  },
  repository(_repository, { template }) {
    if (template !== undefined) {
      throw invalid('repository', 'cannot be combined with template; send only one of them');
    }
  },
};

async function beginningOf(
  trx: Trx,
  principal: Principal,
  input: CreateProject,
  fromTemplate: FromTemplate,
): Promise<Beginning | null> {
  const { template: id, template_variables: values = {}, name, description } = input;
  const begin = async () => (id === undefined ? null : fromTemplate(trx, principal, { id, values, name, description }));
  const [beginning] = await gather([begin(), checkFields(input, beginningChecks)]);
  return beginning;
}
