import type { InviteCollaborator, Permission, SentInvitation } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, type Principal } from '../../foundation/http/index.ts';
import { checkFields } from '../../foundation/http/request/field-checks.ts';
import { newId } from '../../foundation/ids.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import { type Exhausted, tooMany } from '../../identity/rate-limits/index.ts';
import { holdAccount, holdAccountByAddress } from '../../identity/users/index.ts';
import { lockManageableProject, type WritableProject } from '../index.ts';
import { tellInvited } from './collaborators.events.ts';
import { invitationMail } from './collaborators.mail.ts';
import { mustBeAbleToGrant, rightsOf } from './collaborators.policy.ts';
import { mustFind } from './collaborators.service.ts';
import * as rows from './collaborators.sql.ts';
import { asSentInvitation } from './collaborators.view.ts';
import { newInvitationToken } from './invitation-token.ts';
import { mailWithinBudget } from './mail-budget.ts';
import type { Place } from './place.ts';

/** What inviting needs in addition to the invitation. */
export type Inviting = { mailer: Mailer; publicUrl: string; days: number };

/** Invites somebody. An expired invitation of the same person does not prevent a new one. */
export async function invite(
  trx: Trx,
  { userId }: Principal,
  { projectId, input }: { projectId: string; input: InviteCollaborator },
  { cause, ...inviting }: Inviting & { cause: Cause },
): Promise<SentInvitation> {
  const project = await lockManageableProject(trx, projectId, userId);
  await checkFields(
    input,
    invitationChecks(async (work) => work(trx, project)),
  );
  const rights = rightsOf(input.role ?? 'viewer', input.permissions);
  mustBeAbleToGrant(project, userId, { before: null, after: rights });
  const email = input.email.toLowerCase();
  const account = await holdAccountByAddress(trx, email);
  for (const former of await rows.findPerson(trx, project.id, { userId: account?.id ?? null, email })) {
    if (former.status === 'active') throw conflict(`${email} already collaborates on this project`);
    if (former.status === 'pending') throw conflict(`${email} is already invited; resend or revoke that invitation`);
    await rows.deleteCollaborator(trx, former.id);
  }
  const { token, digest } = newInvitationToken();
  const id = newId('col');
  await rows.insertInvitation(
    trx,
    {
      id,
      project_id: project.id,
      user_id: account?.id ?? null,
      email,
      ...rights,
      message: input.message ?? '',
      invited_by: userId,
    },
    { digest, days: inviting.days },
  );
  const row = await mustFind(trx, project, id);
  await tellInvited(trx, { project, row, cause }, inviting.publicUrl);
  return (await deliver(trx, { project, row, token }, inviting)).sent;
}

type InProject = <Result>(work: (trx: Trx, project: WritableProject) => Promise<Result>) => Promise<Result>;

export const invitationChecks = (ask: InProject) => ({
  permissions: (given: Permission[]) => rightsOf('viewer', given),
  email: (address: string) =>
    ask(async (trx, project) => {
      const email = address.toLowerCase();
      const isOwner =
        email === project.owner_email || (await holdAccountByAddress(trx, email))?.id === project.owner_id;
      if (isOwner) throw invalid('email', 'is the address of the owner');
    }),
});

/** Creates a new link with the full validity. The old link stops working. */
export async function resend(
  db: Db,
  { userId }: Principal,
  { projectId, collaboratorId }: Place,
  inviting: Inviting,
): Promise<SentInvitation> {
  return transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const collaborator = await mustFind(trx, project, collaboratorId);
    if (collaborator.status === 'active') throw conflict('The invitation was accepted');
    // Renewing an invitation counts as granting its rights again.
    mustBeAbleToGrant(project, userId, { before: null, after: collaborator });
    const { token, digest } = newInvitationToken();
    await rows.renewInvitation(trx, collaborator.id, { digest, days: inviting.days });
    const row = await mustFind(trx, project, collaborator.id);
    const { sent, exhausted } = await deliver(trx, { project, row, token }, inviting);
    // The purpose of the request is only the mail. If it cannot be sent, the error undoes the transaction, so that the
    // old link stays valid.
    if (exhausted) throw tooMany('e-mails to this address or from you', exhausted);
    return sent;
  });
}

type Made = { project: WritableProject; row: rows.CollaboratorRow; token: string };

/**
 * Sends the invitation by mail. An invitee who wants no mails finds the invitation in their list. The inviter gets the
 * link only if the service sends no mail, or if the mailbox has received too many. A mailed link also proves that its
 * user reads that address. If the link were returned only for some addresses, this would reveal who has an account. For
 * the same reason, the budget is charged whether or not the invitee wants mails.
 */
async function deliver(
  trx: Trx,
  { project, row, token }: Made,
  inviting: Inviting,
): Promise<{ sent: SentInvitation; exhausted: Exhausted | null }> {
  const { mailer, publicUrl } = inviting;
  const url = `${publicUrl}/invitations/${token}`;
  const account = row.user_id === null ? undefined : await holdAccount(trx, row.user_id);
  const wantsMail = account?.notify_email ?? true;
  const to = { email: row.email, account: project.actor.id };
  const content = wantsMail ? invitationMail(project, row, url) : null;
  const exhausted = await mailWithinBudget(trx, mailer, to, content);
  const link = mailer.isSetUp && !exhausted ? null : url;
  return { sent: asSentInvitation(row, { publicUrl, link }), exhausted };
}
