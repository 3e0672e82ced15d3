import { CreateSession, ExtendSession, Session, SessionList, SessionListQuery, SocketTicket } from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import {
  createSession,
  endSession,
  extendSession,
  listSessions,
  readSession,
  rotateInvite,
  type SessionSettings,
} from './sessions.service.ts';
import { newTicket } from './tickets.service.ts';

const tags = ['Collaboration'];
const params = Type.Object({ session_id: Type.String() });

export function collaborationRoutes(app: App, { settings, ...once }: Once & { settings: SessionSettings }): void {
  const { db } = once;

  app.get(
    '/collaboration/sessions',
    {
      config: { access: 'read:collaboration' },
      schema: {
        tags,
        summary: 'List the open sessions that you are in or that are of your projects',
        querystring: SessionListQuery,
        response: { 200: SessionList },
      },
    },
    (request) => {
      const { query } = request;
      const page = { limit: query.limit, offset: query.offset, projectId: query.workspace_id ?? null };
      return listSessions(db, principalOf(request), { page, links: settings });
    },
  );

  app.post(
    '/collaboration/sessions',
    {
      config: { access: 'write:collaboration' },
      preValidation: trimming('name'),
      schema: { tags, summary: 'Start a session', body: CreateSession, response: { 201: Session } },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        createSession(trx, principalOf(request), request.body, { settings, cause: causeOf(request) }),
      ),
  );

  app.get(
    '/collaboration/sessions/:session_id',
    {
      config: { access: 'read:collaboration' },
      schema: { tags, summary: 'Read a session', params, response: { 200: Session } },
    },
    (request) => readSession(db, principalOf(request), request.params.session_id, settings),
  );

  app.delete(
    '/collaboration/sessions/:session_id',
    {
      config: { access: 'write:collaboration' },
      schema: { tags, summary: 'End a session', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await endSession(db, principalOf(request), request.params.session_id, causeOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/collaboration/sessions/:session_id/extend',
    {
      config: { access: 'write:collaboration' },
      schema: {
        tags,
        summary: 'Let a session go on for longer',
        params,
        body: Type.Union([ExtendSession, Type.Null()]),
        response: { 200: Session },
      },
    },
    (request) =>
      extendSession(db, principalOf(request), request.params.session_id, { wanted: request.body ?? null, settings }),
  );

  app.post(
    '/collaboration/sessions/:session_id/invite/rotate',
    {
      config: { access: 'write:collaboration' },
      schema: { tags, summary: 'Replace the invite link; the former one ends', params, response: { 200: Session } },
    },
    (request) => {
      const { session_id: id } = request.params;
      return rotateInvite(db, principalOf(request), id, { links: settings, cause: causeOf(request) });
    },
  );

  app.post(
    '/collaboration/sessions/:session_id/ticket',
    {
      config: { access: 'read:collaboration' },
      schema: {
        tags,
        summary: 'Get a ticket: good for one WebSocket of this session within a minute',
        params,
        response: { 201: SocketTicket },
      },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        newTicket(trx, principalOf(request), request.params.session_id, settings.publicUrl()),
      ),
  );
}
