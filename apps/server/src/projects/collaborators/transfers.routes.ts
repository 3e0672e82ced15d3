import { CreateTransfer, Project, Transfer, TransferList } from '@bottega/contract';
import { Type } from 'typebox';
import type { Config } from '../../foundation/config/index.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import {
  acceptTransfer,
  cancelTransfer,
  declineTransfer,
  listTransfers,
  offerProject,
  readTransfer,
} from './transfers.service.ts';

const tags = ['Ownership'];
const params = Type.Object({ project_id: Type.String() });

type Options = Once & { config: Config; publicUrl: () => string; mailer: Mailer };

export function transferRoutes(app: App, { config, publicUrl, mailer, ...once }: Options): void {
  const { db } = once;

  app.post(
    '/projects/:project_id/transfer',
    {
      config: { access: 'write:projects' },
      preValidation: trimming('email'),
      schema: {
        tags,
        summary: 'Offer the ownership of a project to someone, who has to accept',
        params,
        body: CreateTransfer,
        response: { 201: Transfer },
      },
    },
    (request, reply) => {
      const offer = { projectId: request.params.project_id, to: request.body };
      const inviting = { mailer, publicUrl: publicUrl(), days: config.invitationDays };
      return createOnce(once, request, reply, (trx) => offerProject(trx, principalOf(request), offer, inviting));
    },
  );

  app.get(
    '/projects/:project_id/transfer',
    {
      config: { access: 'read:projects' },
      schema: { tags, summary: 'See to whom a project is offered', params, response: { 200: Transfer } },
    },
    (request) => readTransfer(db, principalOf(request), request.params.project_id),
  );

  app.delete(
    '/projects/:project_id/transfer',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Take the offer back', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await cancelTransfer(db, principalOf(request), request.params.project_id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/projects/:project_id/transfer/accept',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Become the owner of an offered project', params, response: { 200: Project } },
    },
    (request) => {
      const principal = principalOf(request);
      const context = { limits: config.plans[principal.plan], cause: causeOf(request) };
      return acceptTransfer(db, principal, request.params.project_id, context);
    },
  );

  app.post(
    '/projects/:project_id/transfer/decline',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Decline the ownership of a project', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await declineTransfer(db, principalOf(request), request.params.project_id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/user/transfers',
    {
      config: { access: 'read:projects' },
      schema: { tags, summary: 'List the projects that are offered to you', response: { 200: TransferList } },
    },
    async (request) => ({ data: await listTransfers(db, principalOf(request)) }),
  );
}
