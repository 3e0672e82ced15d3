import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  listInvitations,
  previewInvitation,
  readInvitation,
} from './answer.service.ts';
import { placeOf } from './place.ts';

/**
 * The routes for recipients of invitations. A visitor without an account can only see the invitation whose link they
 * have.
 */
export function invitationRoutes(app: App, { db, publicUrl }: { db: Db; publicUrl: () => string }): void {
  const answering = (request: FastifyRequest) => ({ publicUrl: publicUrl(), cause: causeOf(request) });

  handle(app, routes.listOwnInvitations, async (request) => ({
    data: await listInvitations(db, principalOf(request), publicUrl()),
  }));

  handle(app, routes.readInvitation, (request) =>
    readInvitation(db, principalOf(request), request.params.token, publicUrl()),
  );

  handle(app, routes.previewInvitation, (request) => previewInvitation(db, request.params.token));

  handle(app, routes.acceptInvitationOfLink, (request) =>
    acceptInvitation(db, principalOf(request), { tokenOrId: request.params.token }, answering(request)),
  );

  handle(app, routes.declineInvitationOfLink, (request) =>
    declineInvitation(db, principalOf(request), { tokenOrId: request.params.token }),
  );

  handle(app, routes.acceptInvitation, (request) =>
    acceptInvitation(db, principalOf(request), placeOf(request.params), answering(request)),
  );

  handle(app, routes.declineInvitation, (request) =>
    declineInvitation(db, principalOf(request), placeOf(request.params)),
  );
}
