import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { transaction } from '../foundation/db/index.ts';
import { type App, createOnce, handle, type Once, principalOf, trimming } from '../foundation/http/index.ts';
import { changeTemplate, deleteTemplate, publishAnew, publishTemplate } from './publish.service.ts';
import { publishable } from './snapshot.service.ts';
import { listTemplates, readTemplate, type Templates } from './templates.service.ts';
import { checkVariables } from './variables.ts';

const preValidation = trimming('name');

export function templateRoutes(app: App, templates: Templates, once: Once): void {
  handle(app, routes.listTemplates, async (request) => ({
    data: await listTemplates(templates, principalOf(request), request.query),
  }));

  handle(app, routes.readTemplate, (request) =>
    readTemplate(templates, principalOf(request), request.params.template_id),
  );

  const checks = (request: FastifyRequest) => ({
    variables: checkVariables,
    project_id: (id: string) => transaction(once.db, (trx) => publishable(trx, principalOf(request), id)),
  });
  handle(app, routes.publishTemplate, { preValidation, checks }, (request, reply) =>
    createOnce(once, request, reply, (trx) => publishTemplate(trx, templates, principalOf(request), request.body)),
  );

  handle(app, routes.publishTemplateVersion, (request, reply) => {
    const wanted = { id: request.params.template_id, projectId: request.body?.project_id };
    return createOnce(once, request, reply, (trx) => publishAnew(trx, templates, principalOf(request), wanted));
  });

  handle(app, routes.changeTemplate, { preValidation, checks: () => ({ variables: checkVariables }) }, (request) =>
    changeTemplate(templates, principalOf(request), request.params.template_id, request.body),
  );

  handle(app, routes.deleteTemplate, (request) =>
    deleteTemplate(templates, principalOf(request), request.params.template_id),
  );
}
