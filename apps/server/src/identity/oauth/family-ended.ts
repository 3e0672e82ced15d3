import { Provider } from 'oidc-provider';
import type { Trx } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { type Accounts, anonymousCause, raiseAlert } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findUser } from '../users/index.ts';
import { findApp } from './apps.sql.ts';
import { requestOf } from './hand-over.ts';

export type EndedFamily = { id: string; user_id: string; app_id: string };

/**
 * Called in the transaction that has ended a family, which is a grant and everything issued under it. The provider ends
 * a family for two reasons. Either the app revoked it, or a code or refresh token was used twice at the token endpoint.
 * In the second case, somebody has stolen the code or token, so the user is warned.
 */
export async function familyEnded(
  trx: Trx,
  accounts: Pick<Accounts, 'mailer' | 'publicUrl'>,
  { id, user_id: userId, app_id: appId }: EndedFamily,
): Promise<void> {
  const ctx = Provider.ctx;
  const request = ctx && requestOf(ctx.req);
  const cause = request ? anonymousCause(request) : causeOfRun(null);
  const reason = ctx?.oidc.route === 'token' ? 'reuse' : 'revoked';
  const details = { app_id: appId, reason };
  await recordAudit(trx, { action: 'oauth_grant.revoked', accountId: userId, subjectId: id, details }, cause);
  const user = reason === 'reuse' ? await findUser(trx, userId) : undefined;
  if (!user) return;
  const app = await findApp(trx, appId);
  const alert = {
    type: 'oauth_token_reuse',
    severity: 'high' as const,
    title: 'An app’s access to your account may have been stolen',
    description: `A code or refresh token of the app ${app?.name ?? appId} was used twice, so somebody else may have a copy of it.`,
    failedAttempts: null,
    timeWindow: null,
    actionsTaken: ['All tokens of that authorization were revoked'],
    recommendedActions: ['Authorize the app again if you use it', 'Revoke its access if you do not recognise it'],
  };
  await raiseAlert(trx, accounts, user, { alert, cause });
}
