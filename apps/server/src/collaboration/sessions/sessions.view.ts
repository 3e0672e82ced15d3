import type { JoinedSession, Participant, Session } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { isMain } from '../../repository/objects/ref-names.ts';
import { colorOf } from './colors.ts';
import { inviteLink } from './invite-link.ts';
import { personOf, readOnlyReason, rightsOf } from './sessions.policy.ts';
import type { ParticipantRow, SessionRow } from './sessions.sql.ts';

export type Links = { publicUrl: () => string; invites: SecretBox };

export function asSession(session: SessionRow, userId: string, { publicUrl, invites }: Links): Session {
  const { admin } = rightsOf(session, personOf(session, userId));
  return {
    session_id: session.id,
    name: session.name,
    description: session.description,
    workspace_id: session.project_id,
    created_at: session.created_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
    permissions: { read: true, write: session.may_write, admin: session.may_admin },
    invite_link: admin ? inviteLink(publicUrl(), session.id, invites.open(session.invite_encrypted)) : null,
    ended_at: session.ended_at?.toISOString() ?? null,
    ...(!isMain(session) && { branch: session.branch }),
    ...readOnlyReason(session),
  };
}

export function asParticipant(session: SessionRow, row: ParticipantRow): Participant {
  const { read, write, admin } = rightsOf(session, row);
  return {
    user_id: row.user_id,
    username: row.username,
    name: row.name,
    color: colorOf(row.user_id),
    role: admin ? 'admin' : 'collaborator',
    status: row.status === 'joined' ? (row.is_online ? 'active' : 'away') : row.status,
    permissions: { read, write, admin },
    joined_at: new Date(row.joined_at).toISOString(),
    last_seen: new Date(row.last_seen).toISOString(),
  };
}

/** The participants who have joined the session and may still see it. */
export const presentIn = (session: SessionRow): ParticipantRow[] =>
  session.participants.filter((row) => row.status === 'joined' && rightsOf(session, row).read);

export function asJoined(session: SessionRow, userId: string, wsUrl: string): JoinedSession {
  const { read, write, admin } = rightsOf(session, personOf(session, userId));
  return {
    success: true,
    session_info: {
      session_id: session.id,
      name: session.name,
      participants: presentIn(session).map((row) => {
        const { user_id, username, role, joined_at } = asParticipant(session, row);
        return { user_id, username, role, joined_at };
      }),
      permissions: { read, write, admin },
      ...readOnlyReason(session),
    },
    ws_url: wsUrl,
  };
}
