import type { ConfirmWithPassword } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { causeOfRun, conflict, type Principal, type RequestCause } from '../../foundation/http/index.ts';
import { enqueueJob, type Tasks } from '../../foundation/jobs/enqueue.ts';
import { recordAudit } from '../audit/index.ts';
import { endSessions, revokeAllCredentials } from '../auth/index.ts';
import { deleteUser, lockActiveAdministrators, retireUser, userEventData } from '../users/index.ts';
import { deleteTokens } from './account-tokens.sql.ts';
import type { Accounts, LeaveProjects } from './accounts.ts';
import { confirmOwner } from './confirm.service.ts';
import { deleteSecondFactor } from './second-factor.sql.ts';

/**
 * At once nobody gets in any more, and nothing of the person is left in the account's row. The projects, which may be
 * many and large, follow in a job, and the empty row goes last.
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
    if (administrators.length === 1 && administrators[0] === user.id) {
      throw conflict('The last administrator cannot be deleted; make another one first');
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
    const payload = { user_id: user.id, request_id: cause.requestId };
    await enqueueJob(trx, 'accounts:purge', payload, { key: `purge ${user.id}` });
    return deletedAt;
  });
}

/** The job. */
export async function purgeAccount(
  db: Db,
  leaveProjects: LeaveProjects,
  { user_id, request_id }: Tasks['accounts:purge'],
): Promise<void> {
  const cause = causeOfRun(user_id, request_id);
  await leaveProjects(db, user_id, cause);
  await deleteUser(db, user_id);
}
