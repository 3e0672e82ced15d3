import { scopeAllows, type TemplateVariable } from '@bottega/contract';
import type { Trx } from '../foundation/db/index.ts';
import { AppError, forbidden, invalid, type Principal } from '../foundation/http/index.ts';
import { lockManageableProject, type WritableProject } from '../projects/index.ts';
import { inflateObjectAsync } from '../repository/objects/objects.ts';
import { findFileAt, measureFiles } from '../repository/store/index.ts';
import * as rows from './snapshot.sql.ts';
import { maxDeclared, parseVariables } from './variables.ts';

/** The file in which a project declares its template's variables. It is not part of the template. */
const declaration = '/bottega-template.json';

const maxTemplates = 50;
const maxFiles = 1000;
const maxBytes = 20 * 1024 * 1024;
const maxBytesPerAccount = 200 * 1024 * 1024;

/** A template shows the project's files to others, so publishing requires the rights to read and to manage them. */
export async function publishable(trx: Trx, principal: Principal, projectId: string): Promise<WritableProject> {
  if (!scopeAllows(principal.scopes, 'read:files')) throw forbidden('This requires the scope read:files');
  try {
    return await lockManageableProject(trx, projectId, principal.userId);
  } catch (error) {
    // The project is specified in the body, so an unknown or hidden project is an invalid field.
    if (error instanceof AppError && error.status === 404) throw invalid('project_id', 'is not a known project');
    throw error;
  }
}

export async function declaredIn(trx: Trx, projectId: string): Promise<TemplateVariable[] | null> {
  const file = await findFileAt(trx, projectId, declaration);
  if (!file) return null;
  if (file.size > maxDeclared) throw badDeclaration();
  const text = (await inflateObjectAsync(file.deflated, file.size)).toString('utf8');
  const declared = parseVariables(variablesIn(text));
  if (!declared) throw badDeclaration();
  return declared;
}

function variablesIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { variables?: unknown } | null)?.variables ?? [];
  } catch {
    return null;
  }
}

const badDeclaration = (): AppError =>
  invalid('variables', `are not declared correctly in the project's ${declaration.slice(1)}`);

/** Replaces the template's files with the project's. The caller holds the project's row. */
export async function takeFiles(
  trx: Trx,
  { id, ownerId }: { id: string; ownerId: string },
  project: WritableProject,
  { anew }: { anew: boolean },
): Promise<void> {
  const place = { projectId: project.id, except: declaration };
  const { files, bytes } = await measureFiles(trx, place);
  if (files === 0) throw invalid('project_id', 'has no files');
  if (files > maxFiles) throw invalid('project_id', `has more than ${maxFiles} files`);
  if (bytes > maxBytes) throw invalid('project_id', `has more than ${maxBytes} bytes`);
  await rows.lockOwnTemplates(trx, ownerId);
  await rows.takeSnapshot(trx, { ...place, templateId: id });
  await rows.noteSnapshot(trx, id, { projectId: project.id, settings: settingsOf(project), anew });
  mustHaveRoom(await rows.measureTemplates(trx, ownerId));
}

/**
 * Throws if there are too many templates or bytes. Checked after the write, so that a refusal rolls the transaction
 * back.
 */
function mustHaveRoom({ templates, bytes }: { templates: number; bytes: number }): void {
  if (templates > maxTemplates) throw forbidden(`An account can publish at most ${maxTemplates} templates`);
  if (bytes > maxBytesPerAccount)
    throw forbidden(`The templates of an account can have at most ${maxBytesPerAccount} bytes in total`);
}

/** The settings of a project for a template. Leaves out the visibility, which each project chooses for itself. */
export function settingsOf({ collaboration_enabled, auto_save, version_control }: WritableProject) {
  return { collaboration_enabled, auto_save, version_control };
}
