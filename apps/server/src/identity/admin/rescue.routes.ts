import { type ResetLink, routes } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import {
  type App,
  answeredBefore,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import { type Accounts, confirmOwner, createResetLink, removeSecondFactorOf } from '../accounts/index.ts';
import type { StoredByUser } from '../users/index.ts';
import { createAccount, lockAccount } from './admin-create.service.ts';

type Options = Once & { accounts: Accounts; storedBy: StoredByUser };

/**
 * Creates accounts manually, and helps people who cannot sign in. Actions that give access to an account require the
 * administrator's own password. A stolen key, or a browser that was left open, is not enough.
 */
export function rescueRoutes(app: App, { accounts, storedBy, ...once }: Options): void {
  handle(app, routes.createAccount, { preValidation: trimming('email', 'name') }, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createAccount(trx, { accounts, storedBy }, request.body, causeOf(request)),
    ),
  );

  handle(app, routes.createResetLink, async (request, reply) => {
    // The first request has used up the code of the administrator, so a repeated one would be refused.
    const former = await answeredBefore<ResetLink>(once, request, reply);
    if (former) return former.body;
    const cause = causeOf(request);
    await confirmOwner(accounts, principalOf(request), request.body, cause);
    return createOnce(once, request, reply, async (trx) => {
      const user = await lockAccount(trx, request.params.user_id);
      return createResetLink(trx, accounts, user, { by: 'administrator', cause });
    });
  });

  handle(app, routes.removeSecondFactorOfAccount, async (request) => {
    const cause = causeOf(request);
    await confirmOwner(accounts, principalOf(request), request.body, cause);
    await transaction(once.db, async (trx) => {
      const user = await lockAccount(trx, request.params.user_id);
      await removeSecondFactorOf(trx, accounts, user, { by: 'administrator', cause });
    });
  });
}
