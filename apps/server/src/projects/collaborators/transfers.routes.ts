import { routes } from '@bottega/contract';
import type { Config } from '../../foundation/config/index.ts';
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
import {
  acceptTransfer,
  type CheckNewOwner,
  cancelTransfer,
  declineTransfer,
  listTransfers,
  offerProject,
  readTransfer,
} from './transfers.service.ts';

type Options = Once & { config: Config; publicUrl: () => string; mailer: Mailer; checkNewOwner: CheckNewOwner };

export function transferRoutes(app: App, { config, publicUrl, mailer, checkNewOwner, ...once }: Options): void {
  const { db } = once;

  handle(app, routes.offerProject, { preValidation: trimming('email') }, (request, reply) => {
    const offer = { projectId: request.params.project_id, to: request.body };
    const inviting = { mailer, publicUrl: publicUrl(), days: config.invitationDays };
    return createOnce(once, request, reply, (trx) => offerProject(trx, principalOf(request), offer, inviting));
  });

  handle(app, routes.readTransfer, (request) => readTransfer(db, principalOf(request), request.params.project_id));

  handle(app, routes.cancelTransfer, (request) => cancelTransfer(db, principalOf(request), request.params.project_id));

  handle(app, routes.acceptTransfer, (request) => {
    const principal = principalOf(request);
    const context = { limits: config.plans[principal.plan], checkNewOwner, cause: causeOf(request) };
    return acceptTransfer(db, principal, request.params.project_id, context);
  });

  handle(app, routes.declineTransfer, (request) =>
    declineTransfer(db, principalOf(request), request.params.project_id),
  );

  handle(app, routes.listTransfers, async (request) => ({ data: await listTransfers(db, principalOf(request)) }));
}
