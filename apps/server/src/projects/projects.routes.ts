import {
  CreateProject,
  DeletedProject,
  PatchProject,
  Project,
  ProjectDetail,
  ProjectList,
  ProjectListQuery,
  ReplaceProject,
} from '@bottega/contract';
import { Type } from 'typebox';
import type { Config } from '../foundation/config/index.ts';
import { causeOf } from '../foundation/http/cause.ts';
import { principalOf } from '../foundation/http/guard.ts';
import { createOnce, type Once } from '../foundation/http/idempotency.ts';
import { linkHeader, pageInfo } from '../foundation/http/pagination.ts';
import { trimming } from '../foundation/http/trimming.ts';
import type { App } from '../foundation/http/typed-app.ts';
import { createProject, deleteProject, listProjects, readProject, restoreProject } from './projects.service.ts';
import type { FromTemplate } from './projects.template.ts';
import { changeProject, type HistoryBegins, wantedByPatch, wantedByReplace } from './projects.update.ts';
import type { AppUrl } from './projects.view.ts';

const tags = ['Projects'];
const params = Type.Object({ project_id: Type.String() });
const preValidation = trimming('name');

export type ProjectRoutes = Once & {
  config: Config;
  publicUrl: () => string;
  appUrl: AppUrl;
  historyBegins: HistoryBegins;
  fromTemplate: FromTemplate;
};

export function projectRoutes(
  app: App,
  { config, publicUrl, appUrl, historyBegins, fromTemplate, ...once }: ProjectRoutes,
): void {
  const { db } = once;

  app.get(
    '/projects',
    {
      config: { access: 'read:projects' },
      schema: {
        tags,
        summary: 'List the projects that you own or collaborate on',
        querystring: ProjectListQuery,
        response: { 200: ProjectList },
      },
    },
    async (request, reply) => {
      const { data, total } = await listProjects(db, principalOf(request), request.query);
      const pagination = pageInfo(request.query, total);
      reply.header('link', linkHeader(request, publicUrl(), pagination));
      return { data, pagination };
    },
  );

  app.get(
    '/projects/:project_id',
    {
      config: { access: 'read:projects' },
      schema: { tags, summary: 'Read a project', params, response: { 200: ProjectDetail } },
    },
    (request) => readProject(db, principalOf(request), request.params.project_id, appUrl),
  );

  app.post(
    '/projects',
    {
      config: { access: 'write:projects' },
      preValidation,
      schema: { tags, summary: 'Create a project', body: CreateProject, response: { 201: Project } },
    },
    (request, reply) => {
      const principal = principalOf(request);
      const context = { limits: config.plans[principal.plan], cause: causeOf(request), fromTemplate };
      return createOnce(once, request, reply, (trx) => createProject(trx, principal, request.body, context));
    },
  );

  app.put(
    '/projects/:project_id',
    {
      config: { access: 'write:projects' },
      preValidation,
      schema: {
        tags,
        summary: 'Replace a project; what is absent returns to its default',
        params,
        body: ReplaceProject,
        response: { 200: Project },
      },
    },
    (request) =>
      changeProject(db, principalOf(request), {
        id: request.params.project_id,
        wanted: wantedByReplace(request.body),
        cause: causeOf(request),
        historyBegins,
      }),
  );

  app.patch(
    '/projects/:project_id',
    {
      config: { access: 'write:projects' },
      preValidation,
      schema: {
        tags,
        summary: 'Change parts of a project (RFC 7396)',
        params,
        body: PatchProject,
        response: { 200: Project },
      },
    },
    (request) =>
      changeProject(db, principalOf(request), {
        id: request.params.project_id,
        wanted: wantedByPatch(request.body),
        cause: causeOf(request),
        historyBegins,
      }),
  );

  app.delete(
    '/projects/:project_id',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Delete a project', params, response: { 200: DeletedProject } },
    },
    async (request) => {
      const { restoreDays } = config;
      const context = { restoreDays, cause: causeOf(request) };
      const deletedAt = await deleteProject(db, principalOf(request), request.params.project_id, context);
      return {
        message: `The project was deleted and can be restored for ${restoreDays} days`,
        deleted_at: deletedAt.toISOString(),
      };
    },
  );

  app.post(
    '/projects/:project_id/restore',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Bring a deleted project back', params, response: { 200: Project } },
    },
    (request) => {
      const principal = principalOf(request);
      const context = { limits: config.plans[principal.plan], cause: causeOf(request) };
      return restoreProject(db, principal, request.params.project_id, context);
    },
  );
}
