import { type Permission, routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../foundation/config/index.ts';
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
import type { Mailer } from '../../foundation/mail/index.ts';
import { lockManageableProject } from '../index.ts';
import { rightsOf } from './collaborators.policy.ts';
import { changeCollaborator, listCollaborators, removeCollaborator } from './collaborators.service.ts';
import { invitationChecks, invite, resend } from './invite.service.ts';
import { placeOf } from './place.ts';

type Options = Once & { config: Config; publicUrl: () => string; mailer: Mailer };

export function collaboratorRoutes(app: App, { config, publicUrl, mailer, ...once }: Options): void {
  const { db } = once;
  const inviting = () => ({ mailer, publicUrl: publicUrl(), days: config.invitationDays });

  const checks = () => ({ permissions: (given: Permission[]) => rightsOf('viewer', given) });

  handle(app, routes.listCollaborators, async (request) => ({
    data: await listCollaborators(db, principalOf(request), request.params.project_id, publicUrl()),
  }));

  const checksOfInvitation = (request: FastifyRequest) => {
    const { project_id: id } = request.params as { project_id: string };
    return invitationChecks((work) =>
      transaction(db, async (trx) => work(trx, await lockManageableProject(trx, id, principalOf(request).userId))),
    );
  };
  handle(
    app,
    routes.inviteCollaborator,
    { preValidation: trimming('email'), checks: checksOfInvitation },
    (request, reply) => {
      const wanted = { projectId: request.params.project_id, input: request.body };
      const context = { ...inviting(), cause: causeOf(request) };
      return createOnce(once, request, reply, (trx) => invite(trx, principalOf(request), wanted, context));
    },
  );

  handle(app, routes.changeCollaborator, { checks }, (request) =>
    changeCollaborator(db, principalOf(request), placeOf(request.params), {
      patch: request.body,
      publicUrl: publicUrl(),
      cause: causeOf(request),
    }),
  );

  handle(app, routes.removeCollaborator, (request) =>
    removeCollaborator(db, principalOf(request), placeOf(request.params), causeOf(request)),
  );

  handle(app, routes.resendInvitation, (request) =>
    resend(db, principalOf(request), placeOf(request.params), inviting()),
  );
}
