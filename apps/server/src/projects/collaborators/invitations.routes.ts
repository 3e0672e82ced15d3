import { Collaborator, Invitation, InvitationList } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../foundation/db/pool.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { acceptInvitation, declineInvitation, listInvitations, readInvitation } from './answer.service.ts';
import { ofCollaborator, placeOf } from './place.ts';

const tags = ['Invitations'];
const ofLink = Type.Object({
  token: Type.String({ description: 'The last part of the link or, for the invitee, the id of the invitation' }),
});

/** Reading one needs an account too, as everything here does: the mail already says all that a stranger may know. */
export function invitationRoutes(app: App, { db, publicUrl }: { db: Db; publicUrl: () => string }): void {
  const answering = (request: FastifyRequest) => ({ publicUrl: publicUrl(), cause: causeOf(request) });

  app.get(
    '/user/invitations',
    {
      config: { access: 'read:projects' },
      schema: { tags, summary: 'List the invitations that wait for your answer', response: { 200: InvitationList } },
    },
    async (request) => ({ data: await listInvitations(db, principalOf(request), publicUrl()) }),
  );

  app.get(
    '/invitations/:token',
    {
      config: { access: 'read:projects' },
      schema: { tags, summary: 'See what a link invites to', params: ofLink, response: { 200: Invitation } },
    },
    (request) => readInvitation(db, principalOf(request), request.params.token, publicUrl()),
  );

  app.post(
    '/invitations/:token/accept',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Accept the invitation of a link', params: ofLink, response: { 200: Collaborator } },
    },
    (request) => acceptInvitation(db, principalOf(request), { tokenOrId: request.params.token }, answering(request)),
  );

  app.post(
    '/invitations/:token/decline',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Decline the invitation of a link', params: ofLink, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await declineInvitation(db, principalOf(request), { tokenOrId: request.params.token });
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/projects/:project_id/collaborators/:collaborator_id/accept',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Accept an invitation', params: ofCollaborator, response: { 200: Collaborator } },
    },
    (request) => acceptInvitation(db, principalOf(request), placeOf(request.params), answering(request)),
  );

  app.post(
    '/projects/:project_id/collaborators/:collaborator_id/decline',
    {
      config: { access: 'write:projects' },
      schema: { tags, summary: 'Decline an invitation', params: ofCollaborator, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await declineInvitation(db, principalOf(request), placeOf(request.params));
      return reply.code(204).send(null);
    },
  );
}
