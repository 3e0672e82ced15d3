import { routes } from '@bottega/contract';
import { type App, createOnce, handle, type Once, principalOf, trimming } from '../foundation/http/index.ts';
import { changeTemplate, deleteTemplate, publishAnew, publishTemplate } from './publish.service.ts';
import { listTemplates, readTemplate, type Templates } from './templates.service.ts';

const preValidation = trimming('name');

export function templateRoutes(app: App, templates: Templates, once: Once): void {
  handle(app, routes.listTemplates, async (request) => ({
    data: await listTemplates(templates, principalOf(request), request.query),
  }));

  handle(app, routes.readTemplate, (request) =>
    readTemplate(templates, principalOf(request), request.params.template_id),
  );

  handle(app, routes.publishTemplate, { preValidation }, (request, reply) =>
    createOnce(once, request, reply, (trx) => publishTemplate(trx, templates, principalOf(request), request.body)),
  );

  handle(app, routes.publishTemplateVersion, (request, reply) => {
    const wanted = { id: request.params.template_id, projectId: request.body?.project_id };
    return createOnce(once, request, reply, (trx) => publishAnew(trx, templates, principalOf(request), wanted));
  });

  handle(app, routes.changeTemplate, { preValidation }, (request) =>
    changeTemplate(templates, principalOf(request), request.params.template_id, request.body),
  );

  handle(app, routes.deleteTemplate, (request) =>
    deleteTemplate(templates, principalOf(request), request.params.template_id),
  );
}
