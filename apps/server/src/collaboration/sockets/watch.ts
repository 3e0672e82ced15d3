import { liveCloseCodes } from '@bottega/contract';
import { freshFlight } from '../../foundation/concurrency/single-flight.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type CredentialsHold, findSessions, noteSeen } from '../sessions/index.ts';
import { hasExpired } from './held-credentials.ts';
import type { LiveSocket } from './live-socket.ts';
import { followSession, type SessionSockets } from './session-sockets.ts';

type Options = {
  db: Db;
  sessions: ReadonlyMap<string, SessionSockets>;
  credentialsHold: CredentialsHold;
  warningSeconds: number;
  idleSeconds: number;
  /** The session is over; its sockets are being closed. */
  ended(session: SessionSockets): void;
  onError(error: unknown): void;
};

export type Watch = {
  /** Something changed: looks at once. Resolves when it has. */
  look(): Promise<void>;
  credentialsChanged(): void;
  stop(): Promise<void>;
};

const everyMs = 1_000;
/** Not with every look: those come with every socket that opens or closes too. */
const credentialsEveryMs = 900;
const seenEveryMs = 30_000;

/**
 * Rights are asked for with every request; a socket makes none. So once a second, and at once when something is
 * announced, everything that decides about all sockets of this node is read again, in one query.
 */
export function startWatch(options: Options): Watch {
  const { db, sessions, onError } = options;
  let credentialsDue = 0;
  let seenDue = Date.now() + seenEveryMs;
  let isStopped = false;

  const look = freshFlight(async () => {
    if (isStopped || sessions.size === 0) return;
    await lookOnce(Date.now()).catch(onError);
  });

  async function lookOnce(now: number): Promise<void> {
    const areCredentialsDue = now >= credentialsDue;
    if (areCredentialsDue) credentialsDue = now + credentialsEveryMs;
    const credentials = areCredentialsDue ? closeWithoutCredential(options) : null;
    credentials?.catch(() => {
      credentialsDue = 0;
    });
    await Promise.all([followSessions(options), credentials]);
    if (now < seenDue) return;
    seenDue = now + seenEveryMs;
    await noteSeen(db, socketsOf(sessions));
  }

  const timer = setInterval(() => {
    closeSilent(options);
    void look();
  }, everyMs);
  return {
    look,
    credentialsChanged() {
      credentialsDue = 0;
      void look();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await look();
    },
  };
}

const socketsOf = (sessions: Options['sessions']): LiveSocket[] =>
  [...sessions.values()].flatMap(({ sockets }) => [...sockets]);

async function followSessions({ db, sessions, warningSeconds, ended }: Options): Promise<void> {
  const watched = [...sessions];
  const ids = watched.map(([id]) => id);
  const rows = new Map((await findSessions(db, ids)).map((session) => [session.id, session]));
  for (const [id, session] of watched) {
    if (followSession(session, rows.get(id), warningSeconds) === 'over') ended(session);
  }
}

async function closeWithoutCredential({ sessions, credentialsHold }: Options): Promise<void> {
  const sockets = socketsOf(sessions);
  const hold = await credentialsHold(sockets.map(({ principal }) => principal.credential));
  for (const [index, socket] of sockets.entries()) {
    if (!hold[index]) socket.close(liveCloseCodes.credentialGone, 'The credential has ended');
  }
}

function closeSilent({ sessions, idleSeconds }: Options): void {
  const now = Date.now();
  for (const socket of socketsOf(sessions)) {
    const silentMs = now - socket.heardAt;
    if (hasExpired(socket.principal.credential)) {
      socket.close(liveCloseCodes.credentialGone, 'The credential has expired');
    } else if (silentMs > idleSeconds * 1000) socket.close(liveCloseCodes.idle, 'No sign of life');
    else if (silentMs > idleSeconds * 400) socket.ping();
  }
}
