import type { Collaborator, Invitation, SentInvitation, Transfer } from '@bottega/contract';
import { avatarUrl } from '../../identity/users/index.ts';
import type { CollaboratorRow } from './collaborators.sql.ts';
import type { ReceivedRow } from './received.sql.ts';
import type { TransferRow } from './transfers.sql.ts';

/**
 * The person as other users see them. The inviter learns only through an acceptance whether an address has an account,
 * and whose it is. Until then, the inviter sees only the address that they entered.
 */
function personOf(row: CollaboratorRow, publicUrl: string): Collaborator['user'] {
  const { user_id: id, user_avatar_url: avatar_url } = row;
  if (id === null || row.status !== 'active')
    return { id: null, name: null, username: null, email: row.email, avatar_url: null };
  return {
    id,
    name: row.user_name,
    username: row.user_username,
    email: row.user_email ?? row.email,
    avatar_url: avatarUrl({ id, avatar_url }, publicUrl),
  };
}

/**
 * Readers of a public project who are not its members see names only: neither addresses, nor the usernames that are made
 * from them, nor who invited whom.
 */
export function asCollaboratorForOutsider(row: CollaboratorRow, publicUrl: string): Collaborator {
  const collaborator = asCollaborator(row, publicUrl);
  return { ...collaborator, user: { ...collaborator.user, username: null, email: '' }, invited_by: null };
}

export function asCollaborator(row: CollaboratorRow, publicUrl: string): Collaborator {
  return {
    id: row.id,
    user: personOf(row, publicUrl),
    role: row.role,
    permissions: row.permissions,
    invited_by: row.invited_by,
    invited_at: row.invited_at.toISOString(),
    joined_at: row.joined_at?.toISOString() ?? null,
    status: row.status,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

export function asSentInvitation(
  row: CollaboratorRow,
  { publicUrl, link }: { publicUrl: string; link: string | null },
): SentInvitation {
  return { ...asCollaborator(row, publicUrl), message: row.message, invitation_url: link };
}

export function asInvitation(row: ReceivedRow, publicUrl: string): Invitation {
  const { inviter_id: id, inviter_avatar_url: avatar_url } = row;
  return {
    id: row.id,
    project: { id: row.project_id, name: row.project_name },
    inviter:
      id === null
        ? null
        : {
            id,
            name: row.inviter_name ?? '',
            email: row.inviter_email ?? '',
            avatar_url: avatarUrl({ id, avatar_url }, publicUrl),
          },
    email: row.email,
    role: row.role,
    permissions: row.permissions,
    message: row.message,
    status: row.status,
    invited_at: row.invited_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

/** The recipient sees all fields. The owner sees only what the owner entered about the recipient. */
export function asTransfer(row: TransferRow, userId: string): Transfer {
  const isRecipient = row.recipient_id === userId;
  const given = { id: row.address === null ? row.recipient_id : null, name: null, email: row.address };
  return {
    project: { id: row.project_id, name: row.project_name },
    from: { id: row.from_id, name: row.from_name, email: row.from_email },
    to: isRecipient ? { id: row.recipient_id, name: row.to_name, email: row.to_email } : given,
    status: row.status,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
