import { scopeAllows, unversionedRoutes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, askForBasic, forbidden, notFound } from '../foundation/http/index.ts';
import type { Fetches } from '../repository/cache/index.ts';
import { readOnlyGitRoutes, repositoryIdOf } from '../repository/smart-http/index.ts';
import type { TemplateFile } from './fill.ts';
import { type TemplateCommit, templateCommit } from './template-commit.ts';
import { templateRepositories } from './template-repositories.ts';
import { mustSeeTemplate } from './templates.policy.ts';
import { findAny, type Templates } from './templates.service.ts';

/**
 * Serves `git clone {public_url}/git/templates/{id}.git`. Built-in templates need no credential. Published templates
 * need a credential with `read:files`, of a user who may see them.
 */
export function templateGitRoutes(
  app: App,
  templates: Templates,
  { git, slots, root }: Pick<Fetches, 'git' | 'slots'> & { root: string },
): void {
  // The commits are cached by the list of files, which is cached too, because hashing all files for every request would
  // be slow.
  const commits = new WeakMap<readonly TemplateFile[], TemplateCommit>();
  const caches = templateRepositories({
    git,
    root,
    async read(id) {
      const template = await findAny(templates, id);
      if (!template) throw notFound('Template');
      const files = await templates.samples.read(template);
      const commit = commits.get(files) ?? (await templateCommit(template, files));
      commits.set(files, commit);
      return commit;
    },
  });

  async function find(request: FastifyRequest): Promise<string> {
    const id = repositoryIdOf(request);
    if (templates.builtIns.has(id)) return id;
    const { principal } = request;
    if (!principal) throw askForBasic(null);
    mustSeeTemplate(await findAny(templates, id), principal.userId);
    if (!scopeAllows(principal.scopes, 'read:files')) throw forbidden('This requires the scope read:files');
    return id;
  }

  readOnlyGitRoutes(app, {
    refs: unversionedRoutes.readTemplateGitRefs,
    fetch: unversionedRoutes.fetchTemplateFromGit,
    fetches: { git, caches, slots },
    find,
  });
}
