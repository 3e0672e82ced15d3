import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { transaction } from '../../foundation/db/index.ts';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import {
  createSession,
  endSession,
  extendSession,
  listSessions,
  lockProjectNamed,
  mustPermitReading,
  readSession,
  rotateInvite,
  type SessionSettings,
} from './sessions.service.ts';
import { newTicket } from './tickets.service.ts';

export function collaborationRoutes(app: App, { settings, ...once }: Once & { settings: SessionSettings }): void {
  const { db } = once;

  handle(app, routes.listSessions, (request) => {
    const { query } = request;
    const page = {
      limit: query.limit,
      offset: query.offset,
      projectId: query.workspace_id ?? null,
      branch: query.branch ?? null,
    };
    return listSessions(db, principalOf(request), { page, links: settings });
  });

  const checks = (request: FastifyRequest) => ({
    workspace_id: (id: string) => transaction(db, (trx) => lockProjectNamed(trx, id, principalOf(request).userId)),
    permissions: mustPermitReading,
  });
  handle(app, routes.createSession, { preValidation: trimming('name'), checks }, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createSession(trx, principalOf(request), request.body, { settings, cause: causeOf(request) }),
    ),
  );

  handle(app, routes.readSession, (request) =>
    readSession(db, principalOf(request), request.params.session_id, settings),
  );

  handle(app, routes.endSession, (request) =>
    endSession(db, principalOf(request), request.params.session_id, causeOf(request)),
  );

  handle(app, routes.extendSession, (request) =>
    extendSession(db, principalOf(request), request.params.session_id, { wanted: request.body ?? null, settings }),
  );

  handle(app, routes.rotateInvite, (request) => {
    const { session_id: id } = request.params;
    return rotateInvite(db, principalOf(request), id, { links: settings, cause: causeOf(request) });
  });

  handle(app, routes.createTicket, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      newTicket(trx, principalOf(request), request.params.session_id, settings.publicUrl()),
    ),
  );
}
