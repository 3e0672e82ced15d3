import type { ConfirmWithPassword } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { causeOfRun, conflict, type Principal, type RequestCause } from '../../foundation/http/index.ts';
import { enqueueJob, type Tasks } from '../../foundation/jobs/enqueue.ts';
import { recordAudit } from '../audit/index.ts';
import { endSessions, revokeAllCredentials } from '../auth/index.ts';
import {
  deleteUser,
  findUser,
  holdPassword,
  lockActiveAdministrators,
  retireUser,
  userEventData,
} from '../users/index.ts';
import { deleteTokens } from './account-tokens.sql.ts';
import type { Accounts, Leaving } from './accounts.ts';
import { confirmOwner, wrongPassword } from './confirm.service.ts';
import { deleteSecondFactor } from './second-factor.sql.ts';

/**
 * Ends all access immediately, and removes all personal data from the account's row. A job deletes the projects, which
 * may be many and large. The empty row is deleted last, after the account's webhooks have received the event about the
 * deletion.
 */
export async function deleteAccount(
  accounts: Accounts,
  principal: Principal,
  given: ConfirmWithPassword,
  cause: RequestCause,
): Promise<Date> {
  const user = await confirmOwner(accounts, principal, given, cause);
  return transaction(accounts.db, async (trx) => {
    const administrators = await lockActiveAdministrators(trx);
    if (!(await holdPassword(trx, user))) throw wrongPassword('password');
    if (administrators.length === 1 && administrators[0] === user.id) {
      throw conflict('The last administrator cannot be deleted; create another administrator first');
    }
    const deletedAt = new Date();
    const data = { ...userEventData(user), deleted_at: deletedAt.toISOString() };
    await appendEvent(trx, { type: 'user.deleted', accountId: user.id, projectId: null, data }, cause);
    await recordAudit(trx, { action: 'user.deleted', accountId: user.id }, cause);
    await endSessions(trx, user.id);
    await revokeAllCredentials(trx, user.id);
    await deleteTokens(trx, user.id);
    await deleteSecondFactor(trx, user.id);
    await retireUser(trx, user.id);
    await enqueuePurge(trx, { user_id: user.id, request_id: cause.requestId });
    return deletedAt;
  });
}

/** How long the empty row stays, so that failed deliveries can be retried. */
const deletionEventHours = 24;
const deletionEventPauseSeconds = 30;

/**
 * Runs the job that purges an account. Webhooks are deleted with the row of their account, so the row stays until they
 * have received the event about the deletion.
 */
export async function purgeAccount(db: Db, leaving: Leaving, payload: Tasks['accounts:purge']): Promise<void> {
  const { user_id: userId, request_id: requestId } = payload;
  await leaving.leaveProjects(db, userId, causeOfRun(userId, requestId));
  const user = await findUser(db, userId);
  const lastChance = Date.now() - deletionEventHours * 3_600_000;
  if (
    user?.suspended_at &&
    user.suspended_at.getTime() > lastChance &&
    (await leaving.awaitsDeletionEvent(db, userId))
  ) {
    return transaction(db, (trx) => enqueuePurge(trx, payload, deletionEventPauseSeconds));
  }
  await deleteUser(db, userId);
}

const enqueuePurge = (trx: Trx, payload: Tasks['accounts:purge'], delaySeconds = 0): Promise<void> =>
  enqueueJob(trx, 'accounts:purge', payload, { key: `purge ${payload.user_id}`, delaySeconds });
