import { liveCloseCodes, type Participant, type ServerMessage } from '@bottega/contract';
import { asParticipant, isOver, presentIn, rightsOf, type SessionRow } from '../sessions/index.ts';
import type { LiveSocket } from './live-socket.ts';

/** The sockets of one session on this node, and who its clients have been told is there. */
export type Room = {
  sessionId: string;
  projectId: string;
  sockets: Set<LiveSocket>;
  told: Map<string, Participant>;
};

export function openRoom(session: SessionRow): Room {
  const present = presentIn(session).map((row) => [row.user_id, asParticipant(session, row)] as const);
  return { sessionId: session.id, projectId: session.project_id, sockets: new Set(), told: new Map(present) };
}

/** To all but those of one user, where they are the one who it is about and know it. */
function tell(room: Room, message: ServerMessage, exceptUser?: string): void {
  const text = JSON.stringify(message);
  for (const socket of room.sockets) if (socket.userId !== exceptUser) socket.sendSerialised(text);
}

export function closeRoom(room: Room, code: number, reason: string): void {
  for (const socket of room.sockets) socket.close(code, reason);
}

/** Brings a room to what the database says of its session. True: the session goes on. */
export function bringUpToDate(room: Room, session: SessionRow | undefined, warningSeconds: number): boolean {
  if (!session) {
    closeRoom(room, liveCloseCodes.invalidSession, 'The session is gone');
    return false;
  }
  if (isOver(session)) {
    const reason = session.end_reason ?? 'expired';
    tell(room, { type: 'session_ended', reason, timestamp: now() });
    closeRoom(room, liveCloseCodes.sessionEnded, `The session has ended: ${reason}`);
    return false;
  }
  warn(room, session, warningSeconds);
  followRights(room, session);
  followPresence(room, session);
  return true;
}

function warn(room: Room, session: SessionRow, warningSeconds: number): void {
  const expiresAt = session.expires_at.toISOString();
  if (session.remaining_ms > warningSeconds * 1000) return;
  const message: ServerMessage = { type: 'session_expiring', expires_at: expiresAt, timestamp: now() };
  for (const socket of room.sockets) {
    if (socket.warnedOf !== expiresAt) socket.sendSerialised(JSON.stringify(message));
    socket.warnedOf = expiresAt;
  }
}

function followRights(room: Room, session: SessionRow): void {
  for (const socket of room.sockets) {
    const row = session.participants.find(({ user_id }) => user_id === socket.userId);
    if (!row || row.is_suspended) {
      socket.close(liveCloseCodes.credentialGone, 'The account is suspended or deleted');
    } else if (row.status !== 'joined') {
      socket.close(liveCloseCodes.removed, row.status === 'left' ? 'You left' : 'You were removed from the session');
    } else {
      const rights = rightsOf(session, row);
      if (!rights.read) socket.close(liveCloseCodes.removed, 'You may not read the project any more');
      else socket.setRights(rights);
    }
  }
}

/** That somebody came, or is here or away, they know themselves; what they may do now they have to be told. */
function followPresence(room: Room, session: SessionRow): void {
  const timestamp = now();
  const present = new Map(presentIn(session).map((row) => [row.user_id, asParticipant(session, row)]));
  for (const [userId, participant] of present) {
    const former = room.told.get(userId);
    if (!former) tell(room, { type: 'participant_joined', participant, timestamp }, userId);
    else if (rightsIn(former) !== rightsIn(participant))
      tell(room, { type: 'participant_updated', participant, timestamp });
    else if (former.status !== participant.status || former.username !== participant.username) {
      tell(room, { type: 'participant_updated', participant, timestamp }, userId);
    }
  }
  for (const userId of room.told.keys()) {
    if (!present.has(userId)) tell(room, { type: 'participant_left', user_id: userId, timestamp }, userId);
  }
  room.told = present;
}

const rightsIn = ({ role, permissions }: Participant): string => JSON.stringify([role, permissions]);

const now = (): string => new Date().toISOString();
