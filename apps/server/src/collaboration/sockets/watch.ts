import { liveCloseCodes } from '@bottega/contract';
import type { Db } from '../../foundation/db/pool.ts';
import { type CredentialsHold, findSessions, noteSeen } from '../sessions/index.ts';
import { hasExpired } from './held-credentials.ts';
import { bringUpToDate, type Room } from './session-sockets.ts';

type Options = {
  db: Db;
  rooms: ReadonlyMap<string, Room>;
  credentialsHold: CredentialsHold;
  warningSeconds: number;
  idleSeconds: number;
  /** The session is over; its sockets are being closed. */
  ended(room: Room): void;
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
  const { db, rooms, onError } = options;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let credentialsDue = 0;
  let seenDue = Date.now() + seenEveryMs;

  /** One at a time; who asks while it runs gets one that began after they asked. */
  function look(): Promise<void> {
    if (!running) {
      running = lookOnce()
        .catch(onError)
        .finally(() => {
          running = null;
        });
      return running;
    }
    next ??= running.then(() => {
      next = null;
      return look();
    });
    return next;
  }

  async function lookOnce(): Promise<void> {
    if (rooms.size === 0) return;
    const at = Date.now();
    await Promise.all([lookAtSessions(), at >= credentialsDue ? lookAtCredentials(at) : null]);
    if (at >= seenDue) {
      seenDue = at + seenEveryMs;
      const sockets = [...rooms.values()].flatMap((room) => [...room.sockets]);
      await noteSeen(db, sockets);
    }
  }

  async function lookAtSessions(): Promise<void> {
    const looked = [...rooms];
    const found = new Map(
      (
        await findSessions(
          db,
          looked.map(([id]) => id),
        )
      ).map((session) => [session.id, session]),
    );
    for (const [id, room] of looked) {
      if (!bringUpToDate(room, found.get(id), options.warningSeconds)) options.ended(room);
    }
  }

  async function lookAtCredentials(at: number): Promise<void> {
    credentialsDue = at + credentialsEveryMs;
    const sockets = [...rooms.values()].flatMap((room) => [...room.sockets]);
    const hold = await options.credentialsHold(sockets.map(({ principal }) => principal.credential)).catch((error) => {
      credentialsDue = 0;
      throw error;
    });
    for (const [place, socket] of sockets.entries()) {
      if (!hold[place]) socket.close(liveCloseCodes.credentialGone, 'The credential has ended');
    }
  }

  function lookAtClients(): void {
    const at = Date.now();
    for (const { sockets } of rooms.values()) {
      for (const socket of sockets) {
        const silentMs = at - socket.heardAt;
        if (hasExpired(socket.principal.credential)) {
          socket.close(liveCloseCodes.credentialGone, 'The credential has expired');
        } else if (silentMs > options.idleSeconds * 1000) socket.close(liveCloseCodes.idle, 'No sign of life');
        else if (silentMs > options.idleSeconds * 400) socket.ping();
      }
    }
  }

  const timer = setInterval(() => {
    lookAtClients();
    void look();
  }, everyMs);
  return {
    look,
    credentialsChanged() {
      credentialsDue = 0;
      void look();
    },
    async stop() {
      clearInterval(timer);
      await (next ?? running);
    },
  };
}
