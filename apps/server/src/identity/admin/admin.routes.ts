import {
  AdminHealth,
  AdminPlanList,
  AdminUser,
  AdminUserList,
  AdminUserQuery,
  PatchAdminUser,
} from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { linkHeader, pageInfo } from '../../foundation/http/pagination.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { changeAccount, findAccounts, readAccount } from './admin-users.service.ts';
import { type HealthSources, readHealth } from './health.service.ts';
import { type PlanSources, readPlans } from './plans.service.ts';

const tags = ['Administration'];
const config = { access: 'admin' } as const;
const params = Type.Object({ user_id: Type.String() });

type Options = HealthSources & PlanSources & { publicUrl: () => string; credentialsChanged(): void };

export function adminRoutes(app: App, options: Options): void {
  const { db, publicUrl } = options;

  app.get(
    '/admin/users',
    {
      config,
      schema: {
        tags,
        summary: 'List and search accounts, newest first',
        querystring: AdminUserQuery,
        response: { 200: AdminUserList },
      },
    },
    async (request, reply) => {
      const { data, total } = await findAccounts(db, request.query, publicUrl());
      const pagination = pageInfo(request.query, total);
      reply.header('link', linkHeader(request, publicUrl(), pagination));
      return { data, pagination };
    },
  );

  app.get(
    '/admin/users/:user_id',
    { config, schema: { tags, summary: 'Read an account', params, response: { 200: AdminUser } } },
    (request) => readAccount(db, request.params.user_id, publicUrl()),
  );

  app.patch(
    '/admin/users/:user_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change the plan of an account, its rights, or suspend it',
        params,
        body: PatchAdminUser,
        response: { 200: AdminUser },
      },
    },
    (request) =>
      changeAccount(db, {
        id: request.params.user_id,
        patch: request.body,
        publicUrl: publicUrl(),
        cause: causeOf(request),
      }).finally(options.credentialsChanged),
  );

  app.get(
    '/admin/plans',
    {
      config,
      schema: {
        tags,
        summary: 'What each plan allows, and how many accounts have it',
        response: { 200: AdminPlanList },
      },
    },
    async () => ({ data: await readPlans(options) }),
  );

  app.get(
    '/admin/health',
    { config, schema: { tags, summary: 'How the service is doing', response: { 200: AdminHealth } } },
    () => readHealth(options),
  );
}
