import { AdminAuditQuery, AuditLog, AuditQuery } from '@bottega/contract';
import type { Db } from '../../foundation/db/pool.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { linkHeader, pageInfo } from '../../foundation/http/pagination.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { readOwnLog, readWholeLog } from './audit.service.ts';

type Options = { db: Db; publicUrl: () => string };

export function auditRoutes(app: App, { db, publicUrl }: Options): void {
  app.get(
    '/user/audit-log',
    {
      config: { access: 'read:user' },
      schema: {
        tags: ['User'],
        summary: 'What happened to your account, newest first',
        querystring: AuditQuery,
        response: { 200: AuditLog },
      },
    },
    async (request, reply) => {
      const { data, total } = await readOwnLog(db, principalOf(request), request.query);
      const pagination = pageInfo(request.query, total);
      reply.header('link', linkHeader(request, publicUrl(), pagination));
      return { data, pagination };
    },
  );

  app.get(
    '/admin/audit-log',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Administration'],
        summary: 'What happened to all accounts, newest first',
        querystring: AdminAuditQuery,
        response: { 200: AuditLog },
      },
    },
    async (request, reply) => {
      const { data, total } = await readWholeLog(db, request.query);
      const pagination = pageInfo(request.query, total);
      reply.header('link', linkHeader(request, publicUrl(), pagination));
      return { data, pagination };
    },
  );
}
