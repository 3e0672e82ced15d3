import { liveCloseCodes } from '@bottega/contract';
import { freshFlight } from '../../foundation/concurrency/single-flight.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type CredentialsHold, findSessions, noteSeen } from '../sessions/index.ts';
import { createDue } from './due.ts';
import { hasExpired } from './held-credentials.ts';
import type { LiveSocket } from './live-socket.ts';
import { followSession, type SessionSockets } from './session-sockets.ts';

type Options = {
  db: Db;
  sessions: ReadonlyMap<string, SessionSockets>;
  credentialsHold: CredentialsHold;
  warningSeconds: number;
  idleSeconds: number;
  /** Whether announcements arrive. */
  isListening(): boolean;
  /** Called when the session has ended and its sockets are being closed. */
  ended(session: SessionSockets): void;
  onError(error: unknown): void;
};

export type Watch = {
  /**
   * Checks immediately after a change to a session, project or user. Without an id, checks everything. Resolves when
   * the check is done.
   */
  look(about?: string): Promise<void>;
  /** Call this if the credentials of a user have changed. Without an id, those of any user may have. */
  credentialsChanged(userId?: string): void;
  stop(): Promise<void>;
};

const everyMs = 1_000;
const seenEveryMs = 30_000;
/** Number of sessions that are checked every second, in turn, in case an announcement was missed. */
const sessionsInTurn = 500;
const socketsInTurn = 2_000;

/**
 * A request checks rights each time, but an open socket sends no requests. So every change that takes rights away is
 * announced, and the state of the affected sockets is read again immediately. Once a second, some further sessions are
 * checked in turn, as well as those with a warning or an end due. While announcements may be missed, all sessions are
 * checked.
 */
export function startWatch(options: Options): Watch {
  const { db, sessions, onError } = options;
  const rights = createDue<SessionSockets>(sessionsInTurn);
  const credentials = createDue<LiveSocket>(socketsInTurn);
  let seenDue = Date.now() + seenEveryMs;
  let isStopped = false;

  const flight = freshFlight(async () => {
    if (!isStopped && sessions.size > 0) await lookOnce(Date.now()).catch(onError);
  });

  async function lookOnce(now: number): Promise<void> {
    const watched = rights.take(
      [...sessions.values()],
      (session, wanted) => session.dueAt <= now || isAbout(session, wanted),
    );
    const held = credentials.take(socketsOf(sessions), (socket, wanted) => wanted.has(socket.userId));
    await Promise.all([
      followSessions(options, watched).catch(rights.again),
      closeWithoutCredential(options, held).catch(credentials.again),
    ]);
    if (now < seenDue) return;
    seenDue = now + seenEveryMs;
    await noteSeen(db, socketsOf(sessions));
  }

  function look(about?: string): Promise<void> {
    rights.want(about);
    return flight();
  }

  const timer = setInterval(() => {
    closeSilent(options);
    rights.nextTurn(options.isListening());
    credentials.nextTurn(options.isListening());
    void flight();
  }, everyMs);
  return {
    look,
    credentialsChanged(userId) {
      credentials.want(userId);
      void look(userId);
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await flight();
    },
  };
}

const isAbout = ({ sessionId, projectId, sockets }: SessionSockets, wanted: ReadonlySet<string>): boolean =>
  wanted.size > 0 &&
  (wanted.has(sessionId) || wanted.has(projectId) || sockets.values().some(({ userId }) => wanted.has(userId)));

const socketsOf = (sessions: Options['sessions']): LiveSocket[] =>
  [...sessions.values()].flatMap(({ sockets }) => [...sockets]);

async function followSessions({ db, warningSeconds, ended }: Options, watched: SessionSockets[]): Promise<void> {
  if (watched.length === 0) return;
  const ids = watched.map(({ sessionId }) => sessionId);
  const rows = new Map((await findSessions(db, ids)).map((session) => [session.id, session]));
  for (const session of watched) {
    if (followSession(session, rows.get(session.sessionId), warningSeconds) === 'over') ended(session);
  }
}

async function closeWithoutCredential({ credentialsHold }: Options, sockets: LiveSocket[]): Promise<void> {
  if (sockets.length === 0) return;
  const hold = await credentialsHold(sockets.map(({ principal }) => principal.credential));
  for (const [index, socket] of sockets.entries()) {
    if (!hold[index]) socket.close(liveCloseCodes.credentialGone, 'The credential is no longer valid');
  }
}

function closeSilent({ sessions, idleSeconds }: Options): void {
  const now = Date.now();
  for (const socket of socketsOf(sessions)) {
    const silentMs = now - socket.heardAt;
    if (hasExpired(socket.principal.credential)) {
      socket.close(liveCloseCodes.credentialGone, 'The credential has expired');
    } else if (silentMs > idleSeconds * 1000) socket.close(liveCloseCodes.idle, 'The connection was idle for too long');
    else if (silentMs > idleSeconds * 400) socket.ping();
  }
}
