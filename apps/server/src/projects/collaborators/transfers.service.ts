import type { CreateTransfer, Project, Transfer } from '@bottega/contract';
import type { PlanLimits } from '../../foundation/config/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import { type Account, holdAccount, holdAccountByAddress } from '../../identity/users/index.ts';
import { mustBeActive, mustHave, mustOwn, mustSee, permissionsOf } from '../access/index.ts';
import { changeOwner, lockKnownProject, readableProject, type WritableProject } from '../index.ts';
import { transferMail } from './collaborators.mail.ts';
import { asTransfer } from './collaborators.view.ts';
import type { Inviting } from './invite.service.ts';
import { mailWithinBudget } from './mail-budget.ts';
import { swapOwner } from './swap-owner.service.ts';
import * as rows from './transfers.sql.ts';

/** Offers the project to another user, who becomes its owner only by accepting. */
export async function offerProject(
  trx: Trx,
  { userId }: Principal,
  { projectId, to }: { projectId: string; to: CreateTransfer },
  { mailer, publicUrl, days }: Inviting,
): Promise<Transfer> {
  const project = await lockOwnProject(trx, projectId, userId);
  const recipient = await mustExist(trx, to);
  if (recipient.id === userId) throw invalid(to.email === undefined ? 'user_id' : 'email', 'already owns the project');
  const former = await rows.findTransfer(trx, project.id);
  if (former?.status === 'pending')
    throw conflict('The project is already offered to another user; withdraw that offer first');
  const address = to.email?.toLowerCase() ?? null;
  await rows.putTransfer(trx, { projectId: project.id, recipientId: recipient.id, address, days });
  const made = await mustFind(trx, project.id);
  if (recipient.notify_email) {
    const content = { name: recipient.name, url: `${publicUrl}/invitations`, expiresAt: made.expires_at };
    const to = { email: recipient.email, account: userId };
    // If no mail is sent, the recipient still finds the offer in their list.
    await mailWithinBudget(trx, mailer, to, transferMail(project, content));
  }
  return asTransfer(made, userId);
}

async function mustExist(trx: Trx, { email, user_id: id }: CreateTransfer): Promise<Account> {
  if (email !== undefined && id !== undefined) throw invalid('user_id', 'cannot be combined with email');
  if (email !== undefined) {
    const account = await holdAccountByAddress(trx, email.toLowerCase());
    if (!account) throw invalid('email', 'is not the address of an account');
    return account;
  }
  if (id === undefined) throw invalid('email', 'is required if user_id is missing');
  const account = isId('usr', id) ? await holdAccount(trx, id) : undefined;
  if (!account) throw invalid('user_id', 'is not a known account');
  return account;
}

export async function readTransfer(db: Db, { userId }: Principal, projectId: string): Promise<Transfer> {
  const transfer = isId('prj', projectId) ? await rows.findTransfer(db, projectId) : undefined;
  if (transfer?.recipient_id !== userId) mustHave(await readableProject(db, projectId, userId), userId, 'manage');
  if (!transfer) throw notFound('Transfer');
  return asTransfer(transfer, userId);
}

export async function listTransfers(db: Db, { userId }: Principal): Promise<Transfer[]> {
  return (await rows.listTransfersTo(db, userId)).map((row) => asTransfer(row, userId));
}

export async function cancelTransfer(db: Db, { userId }: Principal, projectId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockOwnProject(trx, projectId, userId);
    await mustFind(trx, project.id);
    await rows.deleteTransfer(trx, project.id);
  });
}

/** Throws if what other slices store for the project does not fit into the plan of its new owner. */
export type CheckNewOwner = (trx: Trx, projectId: string, owner: Principal) => Promise<void>;

export async function acceptTransfer(
  db: Db,
  principal: Principal,
  projectId: string,
  { limits, checkNewOwner, cause }: { limits: PlanLimits; checkNewOwner: CheckNewOwner; cause: Cause },
): Promise<Project> {
  return transaction(db, async (trx) => {
    const project = await mustBeRecipient(trx, principal.userId, projectId);
    await rows.deleteTransfer(trx, project.id);
    await checkNewOwner(trx, project.id, principal);
    const changed = await changeOwner(trx, project, { principal, limits, cause });
    await swapOwner(trx, project, cause);
    const details = { from: project.owner_id, to: principal.userId };
    for (const accountId of [details.from, details.to]) {
      await recordAudit(trx, { action: 'project.transferred', accountId, subjectId: project.id, details }, cause);
    }
    return changed;
  });
}

export async function declineTransfer(db: Db, { userId }: Principal, projectId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await mustBeRecipient(trx, userId, projectId);
    await rows.deleteTransfer(trx, project.id);
  });
}

async function lockOwnProject(trx: Trx, projectId: string, userId: string): Promise<WritableProject> {
  const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
  mustOwn(project, userId);
  mustBeActive(project);
  return project;
}

async function mustBeRecipient(trx: Trx, userId: string, projectId: string): Promise<WritableProject> {
  const project = await lockKnownProject(trx, projectId, userId);
  const transfer = project && (await rows.findTransfer(trx, project.id));
  if (!project || transfer?.recipient_id !== userId) {
    // Only people who manage the project learn whether there is an offer.
    const seesOffers = permissionsOf(mustSee(project, userId), userId).includes('manage');
    throw transfer || !seesOffers ? forbidden('Only the proposed owner can respond') : notFound('Transfer');
  }
  mustBeActive(project);
  if (transfer.status === 'expired') throw conflict('The offer has expired; ask for a new one');
  return project;
}

async function mustFind(trx: Trx, projectId: string): Promise<rows.TransferRow> {
  const transfer = await rows.findTransfer(trx, projectId);
  if (!transfer) throw notFound('Transfer');
  return transfer;
}
