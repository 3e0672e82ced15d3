import {
  Collaborator,
  CollaboratorList,
  InviteCollaborator,
  PatchCollaborator,
  SentInvitation,
} from '@bottega/contract';
import { Type } from 'typebox';
import type { Config } from '../../foundation/config/index.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import { changeCollaborator, listCollaborators, removeCollaborator } from './collaborators.service.ts';
import { invite, resend } from './invite.service.ts';
import { ofCollaborator, placeOf } from './place.ts';

const tags = ['Collaborators'];
const ofProject = Type.Object({ project_id: Type.String() });

type Options = Once & { config: Config; publicUrl: () => string; mailer: Mailer };

export function collaboratorRoutes(app: App, { config, publicUrl, mailer, ...once }: Options): void {
  const { db } = once;
  const inviting = () => ({ mailer, publicUrl: publicUrl(), days: config.invitationDays });

  app.get(
    '/projects/:project_id/collaborators',
    {
      config: { access: 'read:projects' },
      schema: {
        tags,
        summary: 'List the collaborators of a project and, for those who manage it, its invitations',
        params: ofProject,
        response: { 200: CollaboratorList },
      },
    },
    async (request) => ({
      data: await listCollaborators(db, principalOf(request), request.params.project_id, publicUrl()),
    }),
  );

  app.post(
    '/projects/:project_id/collaborators',
    {
      config: { access: 'write:projects' },
      preValidation: trimming('email'),
      schema: {
        tags,
        summary: 'Invite someone to a project',
        params: ofProject,
        body: InviteCollaborator,
        response: { 201: SentInvitation },
      },
    },
    (request, reply) => {
      const wanted = { projectId: request.params.project_id, input: request.body };
      const context = { ...inviting(), cause: causeOf(request) };
      return createOnce(once, request, reply, (trx) => invite(trx, principalOf(request), wanted, context));
    },
  );

  app.patch(
    '/projects/:project_id/collaborators/:collaborator_id',
    {
      config: { access: 'write:projects' },
      schema: {
        tags,
        summary: 'Change the role or the permissions of a collaborator or an invitation',
        params: ofCollaborator,
        body: PatchCollaborator,
        response: { 200: Collaborator },
      },
    },
    (request) =>
      changeCollaborator(db, principalOf(request), placeOf(request.params), {
        patch: request.body,
        publicUrl: publicUrl(),
        cause: causeOf(request),
      }),
  );

  app.delete(
    '/projects/:project_id/collaborators/:collaborator_id',
    {
      config: { access: 'write:projects' },
      schema: {
        tags,
        summary: 'Remove a collaborator, take an invitation back, or leave a project',
        params: ofCollaborator,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeCollaborator(db, principalOf(request), placeOf(request.params), causeOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/projects/:project_id/collaborators/:collaborator_id/resend',
    {
      config: { access: 'write:projects' },
      schema: {
        tags,
        summary: 'Send an invitation again, with another link and a new expiry',
        params: ofCollaborator,
        response: { 200: SentInvitation },
      },
    },
    (request) => resend(db, principalOf(request), placeOf(request.params), inviting()),
  );
}
