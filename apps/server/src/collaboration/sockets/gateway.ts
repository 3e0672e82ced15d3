import { randomUUID } from 'node:crypto';
import { liveCloseCodes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/pool.ts';
import { transaction } from '../../foundation/db/transaction.ts';
import { AppError, unavailable } from '../../foundation/http/app-error.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { logRequest } from '../../foundation/http/logging.ts';
import type { Upgrade } from '../../foundation/http/upgrades.ts';
import {
  type CredentialsHold,
  join,
  noteSeen,
  type ParticipantRow,
  rightsOf,
  type SessionRow,
} from '../sessions/index.ts';
import type { LiveTexts } from '../texts/index.ts';
import { createLiveSocket, type LiveSocket } from './live-socket.ts';
import { addSocket, addSockets, deleteSockets, isForgotten } from './live-sockets.sql.ts';
import type { LiveMetrics } from './metrics.ts';
import type { Owners } from './owners.ts';
import { closeRoom, openRoom, type Room } from './session-sockets.ts';
import { startWatch, type Watch } from './watch.ts';

type Options = {
  db: Db;
  config: Pick<Config, 'live' | 'sessions'>;
  owners: Owners;
  texts: LiveTexts;
  metrics: LiveMetrics;
  credentialsHold: CredentialsHold;
  onError(error: unknown): void;
};

export type Gateway = {
  /** Turns the request into a WebSocket of its session; throws what it is refused with. */
  open(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, wanted: Wanted): Promise<void>;
  /** Sessions or rights changed somewhere. */
  changed(): void;
  credentialsChanged(): void;
  start(): Promise<void>;
  figures(): { sockets: number; sessions: number; projects: number };
  /** Stores what the texts have, and sends everybody elsewhere. */
  drain(): Promise<void>;
  /** Once no request needs the texts any more: gives the projects back. */
  close(): Promise<void>;
};

export type Wanted = { sessionId: string; binaryOnly: boolean };

const tooManySockets = (most: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', `Too many connections: ${most} at once are allowed`, {
    details: { limit: most, window: 0, reset_at: new Date().toISOString() },
    headers: { 'retry-after': '1' },
  });

/** The WebSockets that end at this node: those of sessions whose projects it owns. */
export function createGateway(options: Options): Gateway {
  const { db, config, owners, texts, metrics, onError } = options;
  const { live, sessions } = config;
  const rooms = new Map<string, Room>();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: live.frameBytes });
  const headersOf = new WeakMap<object, string[]>();
  server.on('headers', (lines, request) => lines.push(...(headersOf.get(request) ?? [])));
  let watch: Watch | null = null;
  let draining = false;

  async function open(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, wanted: Wanted): Promise<void> {
    if (draining) throw unavailable(new Error('draining'));
    const id = randomUUID();
    const session = await admit(request, id, wanted.sessionId);
    const row = session.participants.find(({ user_id }) => user_id === principalOf(request).userId);
    const ws = row && !draining ? handshake(request, reply, upgrade) : null;
    if (!ws || !row) {
      await deleteSockets(db, [id]);
      if (!reply.sent) throw unavailable(new Error('draining'));
      return;
    }
    // Never answered, so no hook logs it.
    logRequest(request, reply.code(101));
    try {
      enter(ws, request, { id, session, row, binaryOnly: wanted.binaryOnly });
    } catch (error) {
      onError(error);
      ws.close(1011, 'Something went wrong on our side');
      await deleteSockets(db, [id]);
    }
  }

  /** Whoever may read the project joins by coming; counted and joined in one transaction. */
  async function admit(request: FastifyRequest, id: string, sessionId: string): Promise<SessionRow> {
    const principal = principalOf(request);
    const row = { id, node_id: owners.nodeId, session_id: sessionId, user_id: principal.userId };
    const asked = { id: sessionId, inviteToken: undefined, most: sessions.participants, cause: causeOf(request) };
    const once = () =>
      transaction(db, async (trx) => {
        const session = await join(trx, principal, asked);
        if (!(await addSocket(trx, row, live.socketsOfUser))) throw tooManySockets(live.socketsOfUser);
        return session;
      });
    return once().catch(async (error: unknown) => {
      if (!isForgotten(error)) throw error;
      await owners.beatOnce();
      return once();
    });
  }

  /** Null: the client has gone meanwhile. */
  function handshake(request: FastifyRequest, reply: FastifyReply, { socket, head }: Upgrade): WebSocket | null {
    reply.hijack();
    const headers = Object.entries(reply.getHeaders()).map(([name, value]) => `${name}: ${value}`);
    headersOf.set(request.raw, headers);
    reply.raw.detachSocket(socket as never);
    let opened: WebSocket | null = null;
    server.handleUpgrade(request.raw, socket, head, (ws) => {
      opened = ws;
    });
    return opened;
  }

  type Entering = { id: string; session: SessionRow; row: ParticipantRow; binaryOnly: boolean };

  function enter(ws: WebSocket, request: FastifyRequest, { id, session, row, binaryOnly }: Entering): void {
    const room = rooms.get(session.id) ?? openRoom(session);
    rooms.set(session.id, room);
    const socket = createLiveSocket(ws, {
      wire: request.raw.socket,
      id,
      sessionId: session.id,
      projectId: session.project_id,
      user: { id: row.user_id, username: row.username, name: row.name, email: row.email },
      principal: principalOf(request),
      rights: rightsOf(session, row),
      binaryOnly,
      limits: live,
      texts,
      metrics,
      onError,
    });
    room.sockets.add(socket);
    void socket.gone.then(() => left(room, socket)).catch(onError);
    void watch?.look();
  }

  async function left(room: Room, socket: LiveSocket): Promise<void> {
    room.sockets.delete(socket);
    if (room.sockets.size === 0 && rooms.get(room.sessionId) === room) {
      rooms.delete(room.sessionId);
      await texts.save(room.projectId);
    }
    await deleteSockets(db, [socket.id]);
    await noteSeen(db, [socket]);
    await watch?.look();
  }

  const allSockets = () => [...rooms.values()].flatMap((room) => [...room.sockets]);
  const roomsOf = (projectId: string) => [...rooms.values()].filter((room) => room.projectId === projectId);

  return {
    open,
    changed: () => void watch?.look(),
    credentialsChanged: () => watch?.credentialsChanged(),
    async start() {
      await owners.start({
        isInUse: (projectId) => roomsOf(projectId).length > 0,
        async leave(projectId) {
          await texts.save(projectId);
          await texts.release(projectId);
        },
        async lost(projectId) {
          for (const room of roomsOf(projectId)) closeRoom(room, liveCloseCodes.ownerMoved, 'Connect again');
          await texts.release(projectId);
        },
        forgotten: () =>
          addSockets(
            db,
            allSockets().map(({ id, sessionId, userId }) => ({
              id,
              node_id: owners.nodeId,
              session_id: sessionId,
              user_id: userId,
            })),
          ),
      });
      watch = startWatch({
        db,
        rooms,
        credentialsHold: options.credentialsHold,
        warningSeconds: sessions.warningSeconds,
        idleSeconds: live.idleSeconds,
        ended: (room) => void texts.save(room.projectId).catch(onError),
        onError,
      });
    },
    figures: () => ({
      sockets: allSockets().length,
      sessions: rooms.size,
      projects: new Set([...rooms.values()].map(({ projectId }) => projectId)).size,
    }),
    async drain() {
      draining = true;
      await watch?.stop();
      await texts.drain().catch(onError);
      const sockets = allSockets();
      for (const socket of sockets) socket.close(liveCloseCodes.restarting, 'The service restarts; connect again');
      await Promise.all(sockets.map(({ gone }) => gone));
    },
    async close() {
      await texts.drain().catch(onError);
      await owners.stop();
    },
  };
}
