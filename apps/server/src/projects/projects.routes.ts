import { type CreateProject, routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../foundation/config/index.ts';
import { type PointReads, transaction } from '../foundation/db/index.ts';
import {
  type App,
  asPage,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../foundation/http/index.ts';
import { beginningChecks, createProject } from './projects.create.ts';
import { listProjects, readProject } from './projects.service.ts';
import type { FromTemplate } from './projects.template.ts';
import { changeProject, type HistoryBegins, wantedByPatch, wantedByReplace } from './projects.update.ts';
import type { AppUrl } from './projects.view.ts';

const preValidation = trimming('name');

export type ProjectRoutes = Once & {
  config: Config;
  reads: PointReads;
  publicUrl: () => string;
  appUrl: AppUrl;
  historyBegins: HistoryBegins;
  fromTemplate: FromTemplate;
};

export function projectRoutes(app: App, options: ProjectRoutes): void {
  const { config, reads, publicUrl, appUrl, historyBegins, fromTemplate, ...once } = options;
  const { db } = once;

  handle(app, routes.listProjects, async (request, reply) =>
    asPage(request, reply, publicUrl(), await listProjects({ db, reads }, principalOf(request), request.query, appUrl)),
  );

  handle(app, routes.readProject, (request) =>
    readProject(reads, principalOf(request), request.params.project_id, appUrl),
  );

  const checks = (request: FastifyRequest) => ({
    ...beginningChecks,
    // This check writes nothing. It only reports what is wrong with the template and its values.
    template: (
      id: string,
      { name = 'Untitled', description, template_variables: values = {} }: Partial<CreateProject>,
    ) => transaction(db, (trx) => fromTemplate(trx, principalOf(request), { id, name, description, values })),
  });
  handle(app, routes.createProject, { preValidation, checks }, (request, reply) => {
    const principal = principalOf(request);
    const context = { limits: config.plans[principal.plan], cause: causeOf(request), fromTemplate };
    return createOnce(once, request, reply, (trx) => createProject(trx, principal, request.body, context));
  });

  handle(app, routes.replaceProject, { preValidation }, (request) =>
    changeProject(db, principalOf(request), {
      id: request.params.project_id,
      wanted: wantedByReplace(request.body),
      cause: causeOf(request),
      historyBegins,
    }),
  );

  handle(app, routes.changeProject, { preValidation }, (request) =>
    changeProject(db, principalOf(request), {
      id: request.params.project_id,
      wanted: wantedByPatch(request.body),
      cause: causeOf(request),
      historyBegins,
    }),
  );
}
