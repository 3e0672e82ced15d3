import { type RecoveryCodes, routes } from '@bottega/contract';
import {
  type App,
  answeredBefore,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
} from '../../foundation/http/index.ts';
import type { Accounts } from './accounts.ts';
import { confirmOwner } from './confirm.service.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.service.ts';

export function secondFactorRoutes(app: App, accounts: Accounts & Once): void {
  handle(app, routes.readSecondFactor, (request) => readSecondFactor(accounts, principalOf(request).userId));

  handle(app, routes.beginSecondFactor, async (request, reply) => {
    const user = await confirmOwner(accounts, principalOf(request), request.body, causeOf(request));
    return createOnce(accounts, request, reply, (trx) => beginSecondFactor(trx, accounts, user));
  });

  handle(app, routes.confirmSecondFactor, (request) => {
    const given = { code: request.body.code, cause: causeOf(request) };
    return confirmSecondFactor(accounts, principalOf(request).userId, given);
  });

  handle(app, routes.renewRecoveryCodes, async (request, reply) => {
    // The first request has used up the code, so a repeated one would be refused.
    const former = await answeredBefore<RecoveryCodes>(accounts, request, reply);
    if (former) return former.body;
    const cause = causeOf(request);
    const user = await confirmOwner(accounts, principalOf(request), request.body, cause);
    return createOnce(accounts, request, reply, (trx) => renewRecoveryCodes(trx, user.id, cause));
  });

  handle(app, routes.removeSecondFactor, async (request) => {
    const cause = causeOf(request);
    const user = await confirmOwner(accounts, principalOf(request), request.body, cause);
    await removeSecondFactor(accounts, user, cause);
  });
}
