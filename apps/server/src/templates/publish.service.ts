import type { Template as Answer, PatchTemplate, PublishTemplate } from '@bottega/contract';
import { type Trx, transaction } from '../foundation/db/index.ts';
import { conflict, type Principal } from '../foundation/http/index.ts';
import { gather } from '../foundation/http/request/field-checks.ts';
import { isId, newId } from '../foundation/ids.ts';
import { mustHaveStorage } from '../projects/index.ts';
import { declaredIn, publishable, settingsOf, takeFiles } from './snapshot.service.ts';
import type { Template } from './template.ts';
import { mustChange, mustPromote, mustSeeTemplate } from './templates.policy.ts';
import type { Templates } from './templates.service.ts';
import * as rows from './templates.sql.ts';
import { asTemplateAnswer } from './templates.view.ts';
import { checkVariables } from './variables.ts';

const defaults = {
  description: '',
  category: 'other',
  language: 'other',
  tags: [],
  visibility: 'private',
  featured: false,
  variables: [],
} satisfies Partial<rows.TemplateFields>;

/**
 * Publishes a template. Runs in the transaction of the idempotency key, with the project's row locked, so all files
 * have the state of the same moment.
 */
export async function publishTemplate(
  trx: Trx,
  templates: Templates,
  principal: Principal,
  { project_id: projectId, ...input }: PublishTemplate,
): Promise<Answer> {
  const [project] = await gather([publishable(trx, principal, projectId), checkVariables(input.variables ?? [])]);
  const fields: rows.TemplateFields = { ...defaults, ...input };
  mustPromote(defaults, fields, principal);
  fields.variables = input.variables ?? (await declaredIn(trx, projectId)) ?? [];
  await checkVariables(fields.variables);
  const id = newId('tpl');
  const settings = settingsOf(project);
  await rows.insertTemplate(trx, { ...fields, id, ownerId: principal.userId, projectId, settings });
  await takeFiles(trx, { id, ownerId: principal.userId }, project, { anew: false });
  await mustFitPlan(trx, templates, principal);
  return answer(trx, templates, principal, id);
}

/**
 * Replaces the template's files with the project's current ones. Projects that were created from the previous files
 * keep them.
 */
export async function publishAnew(
  trx: Trx,
  templates: Templates,
  principal: Principal,
  { id, projectId }: { id: string; projectId: string | undefined },
): Promise<Answer> {
  const template = await changeable(trx, templates, principal, id);
  const source = projectId ?? (await rows.sourceOf(trx, id));
  if (source === null) throw conflict('The project of this template no longer exists; specify another project');
  const project = await publishable(trx, principal, source);
  const variables = await declaredIn(trx, project.id);
  if (variables) {
    await checkVariables(variables);
    await rows.updateTemplate(trx, id, fieldsOf({ ...template, variables }));
  }
  const ownerId = template.owner_id ?? principal.userId;
  await takeFiles(trx, { id, ownerId }, project, { anew: true });
  // A template that an administrator publishes for another account does not count against that account's plan.
  if (ownerId === principal.userId) await mustFitPlan(trx, templates, principal);
  return answer(trx, templates, principal, id);
}

/** Throws if the account exceeds its plan. Checked after the write, so that a refusal rolls the transaction back. */
async function mustFitPlan(trx: Trx, { storageOfAccount }: Templates, principal: Principal): Promise<void> {
  await mustHaveStorage(trx, principal, { storedBytes: storageOfAccount[principal.plan] });
}

/**
 * Changes the description of a template. The change is a merge patch (RFC 7396): null resets a value to its default.
 */
export function changeTemplate(
  templates: Templates,
  principal: Principal,
  id: string,
  patch: PatchTemplate,
): Promise<Answer> {
  return transaction(templates.db, async (trx) => {
    const before = fieldsOf(await changeable(trx, templates, principal, id));
    const after: rows.TemplateFields = {
      name: patch.name ?? before.name,
      description: merged(patch.description, before.description, defaults.description),
      category: merged(patch.category, before.category, defaults.category),
      language: merged(patch.language, before.language, defaults.language),
      tags: merged(patch.tags, before.tags, defaults.tags),
      visibility: merged(patch.visibility, before.visibility, defaults.visibility),
      featured: merged(patch.featured, before.featured, defaults.featured),
      variables: merged(patch.variables, before.variables, defaults.variables),
    };
    mustPromote(before, after, principal);
    await checkVariables(after.variables);
    await rows.updateTemplate(trx, id, after);
    return answer(trx, templates, principal, id);
  });
}

export function deleteTemplate(templates: Templates, principal: Principal, id: string): Promise<void> {
  return transaction(templates.db, async (trx) => {
    await changeable(trx, templates, principal, id);
    await rows.deleteTemplate(trx, id);
  });
}

const merged = <Value>(wanted: Value | null | undefined, before: Value, initial: Value): Value =>
  wanted === undefined ? before : (wanted ?? initial);

function fieldsOf(template: Template): rows.TemplateFields {
  const { name, description, category, language, tags, visibility, featured, variables } = template;
  return { name, description, category, language, tags, visibility, featured, variables };
}

async function changeable(trx: Trx, { builtIns }: Templates, principal: Principal, id: string): Promise<Template> {
  const found = builtIns.get(id)?.template ?? (isId('tpl', id) ? await rows.lockTemplate(trx, id) : undefined);
  const template = mustSeeTemplate(found, principal.userId);
  mustChange(template, principal);
  return template;
}

async function answer(trx: Trx, templates: Templates, principal: Principal, id: string): Promise<Answer> {
  const template = await rows.findTemplate(trx, id);
  if (!template) throw new Error('the written template is missing');
  return asTemplateAnswer(template, principal, templates);
}
