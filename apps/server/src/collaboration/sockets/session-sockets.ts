import { liveCloseCodes, type Participant, type ServerMessage } from '@bottega/contract';
import { asParticipant, isOver, presentIn, rightsOf, type SessionRow } from '../sessions/index.ts';
import type { LiveSocket } from './live-socket.ts';

/** The sockets of one session on this node, and the participants that its clients know about. */
export type SessionSockets = {
  sessionId: string;
  projectId: string;
  sockets: Set<LiveSocket>;
  announced: Map<string, Participant>;
  /** The time at which a warning or the end of the session is due. */
  dueAt: number;
};

export function createSessionSockets(session: SessionRow): SessionSockets {
  return {
    sessionId: session.id,
    projectId: session.project_id,
    sockets: new Set(),
    announced: participantsOf(session),
    dueAt: 0,
  };
}

const participantsOf = (session: SessionRow): Map<string, Participant> =>
  new Map(presentIn(session).map((row) => [row.user_id, asParticipant(session, row)]));

/** Sends to all sockets except those of one user, who already knows. */
function announce({ sockets }: SessionSockets, message: ServerMessage, exceptUser?: string): void {
  const text = JSON.stringify(message);
  for (const socket of sockets) if (socket.userId !== exceptUser) socket.sendSerialised(text);
}

export function closeSockets({ sockets }: SessionSockets, code: number, reason: string): void {
  for (const socket of sockets) socket.close(code, reason);
}

/** Updates the sockets to match their session in the database: closes them, demotes them, and notifies the others. */
export function followSession(
  session: SessionSockets,
  row: SessionRow | undefined,
  warningSeconds: number,
): 'going on' | 'over' {
  if (!row) {
    closeSockets(session, liveCloseCodes.invalidSession, 'The session no longer exists');
    return 'over';
  }
  if (isOver(row)) {
    const reason = row.end_reason ?? 'expired';
    announce(session, { type: 'session_ended', reason, timestamp: now() });
    closeSockets(session, liveCloseCodes.sessionEnded, `The session has ended: ${reason}`);
    return 'over';
  }
  const untilWarning = row.remaining_ms - warningSeconds * 1000;
  session.dueAt = Date.now() + (untilWarning > 0 ? untilWarning : row.remaining_ms);
  warn(session, row, warningSeconds);
  followRights(session, row);
  followPresence(session, row);
  return 'going on';
}

function warn({ sockets }: SessionSockets, row: SessionRow, warningSeconds: number): void {
  const expiresAt = row.expires_at.toISOString();
  if (row.remaining_ms > warningSeconds * 1000) return;
  const message: ServerMessage = { type: 'session_expiring', expires_at: expiresAt, timestamp: now() };
  for (const socket of sockets) {
    if (socket.warnedOf !== expiresAt) socket.sendSerialised(JSON.stringify(message));
    socket.warnedOf = expiresAt;
  }
}

function followRights({ sockets }: SessionSockets, row: SessionRow): void {
  for (const socket of sockets) {
    const participant = row.participants.find(({ user_id }) => user_id === socket.userId);
    if (!participant || participant.is_suspended) {
      socket.close(liveCloseCodes.credentialGone, 'The account is suspended or deleted');
    } else if (participant.status !== 'joined') {
      const reason = participant.status === 'left' ? 'You left' : 'You were removed from the session';
      socket.close(liveCloseCodes.removed, reason);
    } else {
      const rights = rightsOf(row, participant);
      if (!rights.read) socket.close(liveCloseCodes.removed, 'You can no longer read the project');
      else socket.setRights(rights);
    }
  }
}

/**
 * Notifies clients of who joined, left or changed. Users know their own presence, but must be notified if their rights
 * change.
 */
function followPresence(session: SessionSockets, row: SessionRow): void {
  const timestamp = now();
  const present = participantsOf(row);
  for (const [userId, participant] of present) {
    const former = session.announced.get(userId);
    if (!former) announce(session, { type: 'participant_joined', participant, timestamp }, userId);
    else if (rightsIn(former) !== rightsIn(participant))
      announce(session, { type: 'participant_updated', participant, timestamp });
    else if (former.status !== participant.status || former.username !== participant.username) {
      announce(session, { type: 'participant_updated', participant, timestamp }, userId);
    }
  }
  for (const userId of session.announced.keys()) {
    if (!present.has(userId)) announce(session, { type: 'participant_left', user_id: userId, timestamp }, userId);
  }
  session.announced = present;
}

const rightsIn = ({ role, permissions }: Participant): string => JSON.stringify([role, permissions]);

const now = (): string => new Date().toISOString();
