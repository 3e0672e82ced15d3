import { JoinedSession, JoinSession, Participant, ParticipantList, UpdateParticipant } from '@bottega/contract';
import { Type } from 'typebox';
import type { Db } from '../../foundation/db/pool.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import {
  changeParticipant,
  joinSession,
  leaveSession,
  listParticipants,
  removeParticipant,
} from './participants.service.ts';
import type { SessionSettings } from './sessions.service.ts';

const tags = ['Collaboration'];
const params = Type.Object({ session_id: Type.String() });
const ofOne = Type.Object({ session_id: Type.String(), user_id: Type.String() });

export function participantRoutes(app: App, { db, settings }: { db: Db; settings: SessionSettings }): void {
  app.post(
    '/collaboration/sessions/:session_id/join',
    {
      config: { access: 'write:collaboration' },
      schema: {
        tags,
        summary: 'Join a session; without the invite token by whoever may read its project',
        params,
        body: Type.Union([JoinSession, Type.Null()]),
        response: { 200: JoinedSession },
      },
    },
    (request) => {
      const asked = { id: request.params.session_id, inviteToken: request.body?.invite_token };
      return joinSession(db, principalOf(request), asked, { settings, cause: causeOf(request) });
    },
  );

  app.post(
    '/collaboration/sessions/:session_id/leave',
    {
      config: { access: 'write:collaboration' },
      schema: { tags, summary: 'Leave a session; your sockets close', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await leaveSession(db, principalOf(request), request.params.session_id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/collaboration/sessions/:session_id/participants',
    {
      config: { access: 'read:collaboration' },
      schema: { tags, summary: 'List who is in a session', params, response: { 200: ParticipantList } },
    },
    async (request) => ({ participants: await listParticipants(db, principalOf(request), request.params.session_id) }),
  );

  app.put(
    '/collaboration/sessions/:session_id/participants/:user_id',
    {
      config: { access: 'write:collaboration' },
      schema: {
        tags,
        summary: 'Change what somebody may do in a session',
        params: ofOne,
        body: UpdateParticipant,
        response: { 200: Participant },
      },
    },
    (request) => {
      const place = { id: request.params.session_id, userId: request.params.user_id };
      return changeParticipant(db, principalOf(request), place, { wanted: request.body, cause: causeOf(request) });
    },
  );

  app.delete(
    '/collaboration/sessions/:session_id/participants/:user_id',
    {
      config: { access: 'write:collaboration' },
      schema: {
        tags,
        summary: 'Remove somebody from a session, or leave it; their sockets close',
        params: ofOne,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const place = { id: request.params.session_id, userId: request.params.user_id };
      await removeParticipant(db, principalOf(request), place, causeOf(request));
      return reply.code(204).send(null);
    },
  );
}
