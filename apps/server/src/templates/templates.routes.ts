import {
  PatchTemplate,
  PublishAnew,
  PublishTemplate,
  Template,
  TemplateList,
  TemplateListQuery,
} from '@bottega/contract';
import { Type } from 'typebox';
import { principalOf } from '../foundation/http/guard.ts';
import { createOnce, type Once } from '../foundation/http/idempotency.ts';
import { trimming } from '../foundation/http/trimming.ts';
import type { App } from '../foundation/http/typed-app.ts';
import { changeTemplate, deleteTemplate, publishAnew, publishTemplate } from './publish.service.ts';
import { listTemplates, readTemplate, type Templates } from './templates.service.ts';

const tags = ['Templates'];
const params = Type.Object({ template_id: Type.String() });
const preValidation = trimming('name');

export function templateRoutes(app: App, templates: Templates, once: Once): void {
  app.get(
    '/templates',
    {
      config: { access: 'signed-in' },
      schema: {
        tags,
        summary: 'List the templates that a project can begin with',
        querystring: TemplateListQuery,
        response: { 200: TemplateList },
      },
    },
    async (request) => ({ data: await listTemplates(templates, principalOf(request), request.query) }),
  );

  app.get(
    '/templates/:template_id',
    {
      config: { access: 'signed-in' },
      schema: { tags, summary: 'Read a template', params, response: { 200: Template } },
    },
    (request) => readTemplate(templates, principalOf(request), request.params.template_id),
  );

  app.post(
    '/templates',
    {
      config: { access: 'write:projects' },
      preValidation,
      schema: {
        tags,
        summary: 'Publish the present files of a project as a template',
        body: PublishTemplate,
        response: { 201: Template },
      },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) => publishTemplate(trx, templates, principalOf(request), request.body)),
  );

  app.post(
    '/templates/:template_id/versions',
    {
      config: { access: 'write:projects' },
      schema: {
        tags,
        summary: 'Publish a template anew, with the files that its project has now',
        params,
        body: Type.Union([PublishAnew, Type.Null()]),
        response: { 201: Template },
      },
    },
    (request, reply) => {
      const wanted = { id: request.params.template_id, projectId: request.body?.project_id };
      return createOnce(once, request, reply, (trx) => publishAnew(trx, templates, principalOf(request), wanted));
    },
  );

  app.patch(
    '/templates/:template_id',
    {
      config: { access: 'write:projects' },
      preValidation,
      schema: {
        tags,
        summary: 'Change what is said of a template (RFC 7396); its files stay',
        params,
        body: PatchTemplate,
        response: { 200: Template },
      },
    },
    (request) => changeTemplate(templates, principalOf(request), request.params.template_id, request.body),
  );

  app.delete(
    '/templates/:template_id',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Withdraw a template', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await deleteTemplate(templates, principalOf(request), request.params.template_id);
      return reply.code(204).send(null);
    },
  );
}
