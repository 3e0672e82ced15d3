import { prepareBlob, type Quota, writeInTransaction } from '../files/index.ts';
import { invalid } from '../http/app-error.ts';
import { isId } from '../ids.ts';
import type { FromTemplate } from '../projects/index.ts';
import { maySee } from './templates.policy.ts';
import { filledFiles, sourceFiles, type Templates } from './templates.service.ts';
import { holdTemplate, nameOfUser } from './templates.sql.ts';
import { valuesOf } from './variables.ts';

/**
 * How a project begins from a template: asked for before there is a project, so that a bad name or value refuses it;
 * then, in the same transaction, all files become its first commit.
 */
export function fromTemplate({ builtIns, fileLimit, publicUrl }: Templates, quota: Quota): FromTemplate {
  return async (trx, principal, { id, values: given, name, description }) => {
    const found = builtIns.get(id)?.template ?? (isId('tpl', id) ? await holdTemplate(trx, id) : undefined);
    // An unknown template and one that may not be seen read the same.
    if (!found || !maySee(found, principal.userId)) throw invalid('template', 'is not a known template');
    const author = await nameOfUser(trx, principal.userId);
    const about = { project_name: name, description: description ?? found.description, author };
    const values = valuesOf(found.variables, given, about);
    return {
      version: found.version,
      settings: found.settings,
      async fill({ projectId, cause }) {
        const source = await sourceFiles(trx, builtIns, found);
        if (!source) throw new Error('the files of a template that is held are gone');
        const files = await filledFiles(found, source, { values, now: new Date(), fileLimit });
        const changes = await Promise.all(
          files.map(async ({ path, executable, content }) => {
            const blob = await prepareBlob(content);
            return { action: 'put' as const, path, blob, expect: 'new' as const, executable };
          }),
        );
        const message = `Begin with the template ${found.name}`;
        await writeInTransaction(trx, {
          principal,
          projectId,
          cause,
          message,
          changes: () => changes,
          quota,
          publicUrl: publicUrl(),
        });
      },
    };
  };
}
