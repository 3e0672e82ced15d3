import type { Budget } from '../foundation/concurrency/budget.ts';
import { createSlots } from '../foundation/concurrency/slots.ts';
import { invalid } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import type { FromTemplate } from '../projects/index.ts';
import { type Change, prepareBlob, type Quota, writeInTransaction } from '../repository/store/index.ts';
import type { TemplateFile } from './fill.ts';
import { filledFiles, projectBudget } from './rendering.ts';
import { sourceFiles } from './source-files.ts';
import { maySee } from './templates.policy.ts';
import type { Templates } from './templates.service.ts';
import { holdTemplate, nameOfUser } from './templates.sql.ts';
import { valuesOf } from './variables.ts';

/**
 * Starts a project from a template. Name and values are checked before the project is created, so that the request is
 * refused if one of them is invalid. Then all files become the first commit, in the same transaction.
 */
export function fromTemplate({ builtIns, fileLimit, publicUrl }: Templates, quota: Quota): FromTemplate {
  // The number of concurrent creations is limited, because each has its files in memory and keeps its transaction open.
  const slots = createSlots({ total: 4, perAccount: 2, maxWaiting: 10 });
  return async (trx, principal, { id, values: given, name, description }) => {
    const template = builtIns.get(id)?.template ?? (isId('tpl', id) ? await holdTemplate(trx, id) : undefined);
    // An unknown template and a hidden one give the same error.
    if (!template || !maySee(template, principal.userId)) throw invalid('template', 'is not a known template');
    const author = await nameOfUser(trx, principal.userId);
    const about = { project_name: name, description: description ?? template.description, author };
    const values = valuesOf(template.variables, given, about);
    return {
      version: template.version,
      settings: template.settings,
      fill: ({ projectId, cause }) =>
        slots.run(principal.userId, async () => {
          const source = await sourceFiles(trx, builtIns, template);
          if (!source) throw new Error('the files of a locked template are missing');
          const budget = projectBudget();
          const files = await filledFiles(template, source, { values, now: new Date(), fileLimit, budget });
          const changes = await putsOf(files, budget);
          const message = `Start from the template ${template.name}`;
          await writeInTransaction(trx, {
            principal,
            projectId,
            cause,
            message,
            changes: () => changes,
            quota,
            publicUrl: publicUrl(),
          });
        }),
    };
  };
}

/** Prepares the files one at a time, so that hashing all of them does not block the event loop. */
async function putsOf(files: readonly TemplateFile[], budget: Budget): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { path, executable, content } of files) {
    await budget.maybeYield();
    changes.push({ action: 'put', path, blob: await prepareBlob(content), expect: 'new', executable });
  }
  return changes;
}
