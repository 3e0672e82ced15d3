import { randomUUID } from 'node:crypto';
import { liveCloseCodes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { principalOf, unavailable } from '../../foundation/http/index.ts';
import { createHandshake } from '../../foundation/http/server/handshake.ts';
import type { Upgrade } from '../../foundation/http/server/upgrades.ts';
import { logRequest } from '../../foundation/http/watching/logging.ts';
import { type CredentialsHold, noteGone, type ParticipantRow, rightsOf, type SessionRow } from '../sessions/index.ts';
import type { LiveTexts } from '../texts/index.ts';
import { admit } from './admission.ts';
import { createLiveSocket, type LiveSocket } from './live-socket.ts';
import { addSockets, deleteSockets } from './live-sockets.sql.ts';
import type { LiveMetrics } from './metrics.ts';
import type { Owners } from './owners.ts';
import { closeSockets, createSessionSockets, type SessionSockets } from './session-sockets.ts';
import { startWatch, type Watch } from './watch.ts';

type Options = {
  db: Db;
  config: Pick<Config, 'live' | 'sessions'>;
  owners: Owners;
  texts: LiveTexts;
  metrics: LiveMetrics;
  credentialsHold: CredentialsHold;
  /** Whether this node receives announcements of changes elsewhere. */
  isListening(): boolean;
  onError(error: unknown): void;
};

export type Wanted = { sessionId: string; binaryOnly: boolean };

/** Sessions with a socket on this node, by id. */
type Sessions = Map<string, SessionSockets>;

const socketsOf = (sessions: Sessions): LiveSocket[] => [...sessions.values()].flatMap(({ sockets }) => [...sockets]);

/** Manages the WebSockets that end at this node: those of sessions whose projects this node owns. */
export function createGateway(options: Options) {
  const { db, config, owners, texts, onError } = options;
  const sessions: Sessions = new Map();
  const handshake = createHandshake(config.live.frameBytes);
  const limits = { maxParticipants: config.sessions.participants, socketsOfUser: config.live.socketsOfUser };
  let watch: Watch | null = null;
  let isDraining = false;

  /** Turns the request into a WebSocket of its session. Throws if the request is refused. */
  async function open(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, wanted: Wanted): Promise<void> {
    if (isDraining) throw unavailable(new Error('draining'));
    if (socketsOf(sessions).length >= config.live.socketsOfNode)
      throw unavailable('this node has reached its limit of open sockets');
    const { sessionId, binaryOnly } = wanted;
    const socketId = randomUUID();
    const session = await admit({ db, owners, ...limits }, request, { socketId, sessionId });
    const participant = session.participants.find(({ user_id }) => user_id === principalOf(request).userId);
    const ws = participant && !isDraining ? handshake(request, reply, upgrade) : null;
    if (!ws || !participant) {
      await deleteSockets(db, [socketId]);
      if (!reply.sent) throw unavailable(new Error('draining'));
      return;
    }
    // The request gets no HTTP response, so no hook logs it.
    logRequest(request, reply.code(101));
    try {
      enter(createSocket(options, ws, request, { socketId, session, participant, binaryOnly }), session);
    } catch (error) {
      onError(error);
      ws.close(1011, 'Something went wrong on our side');
      await deleteSockets(db, [socketId]);
    }
  }

  function enter(socket: LiveSocket, row: SessionRow): void {
    const session = sessions.get(row.id) ?? createSessionSockets(row);
    sessions.set(row.id, session);
    session.sockets.add(socket);
    void socket.gone.then(() => left(session, socket)).catch(onError);
    void watch?.look(row.id);
  }

  async function left(session: SessionSockets, socket: LiveSocket): Promise<void> {
    session.sockets.delete(socket);
    if (session.sockets.size === 0 && sessions.get(session.sessionId) === session) {
      sessions.delete(session.sessionId);
      await texts.save(session.projectId);
    }
    await deleteSockets(db, [socket.id]);
    await noteGone(db, socket);
    await watch?.look(session.sessionId);
  }

  return {
    open,
    /** Call this if a session or rights have changed: with the id of a session or project, or without an id for any. */
    changed: (about?: string) => void watch?.look(about),
    credentialsChanged: (userId?: string) => watch?.credentialsChanged(userId),
    async start() {
      await owners.start(ownerHooks(options, sessions));
      watch = watchSessions(options, sessions);
    },
    figures: () => ({
      sockets: socketsOf(sessions).length,
      sessions: sessions.size,
      projects: new Set([...sessions.values()].map(({ projectId }) => projectId)).size,
    }),
    /** Stores pending text, then disconnects every client, which reconnects to another node. */
    async drain() {
      isDraining = true;
      await watch?.stop();
      await texts.drain().catch(onError);
      const sockets = socketsOf(sessions);
      for (const socket of sockets) socket.close(liveCloseCodes.restarting, 'The service is restarting; connect again');
      await Promise.all(sockets.map(({ gone }) => gone));
    },
    /** Releases the projects once no request needs their texts. */
    async close() {
      await texts.drain().catch(onError);
      await owners.stop();
    },
  };
}

type Entering = { socketId: string; session: SessionRow; participant: ParticipantRow; binaryOnly: boolean };

function createSocket(
  { config, texts, metrics, onError }: Options,
  ws: WebSocket,
  request: FastifyRequest,
  { socketId, session, participant, binaryOnly }: Entering,
): LiveSocket {
  const { user_id: id, username, name, email } = participant;
  return createLiveSocket(ws, {
    wire: request.raw.socket,
    id: socketId,
    sessionId: session.id,
    projectId: session.project_id,
    branch: session.branch,
    requestId: request.id,
    user: { id, username, name, email },
    principal: principalOf(request),
    rights: rightsOf(session, participant),
    binaryOnly,
    limits: config.live,
    texts,
    metrics,
    onError,
  });
}

function watchSessions(
  { db, config, texts, credentialsHold, isListening, onError }: Options,
  sessions: Sessions,
): Watch {
  return startWatch({
    db,
    sessions,
    credentialsHold,
    isListening,
    warningSeconds: config.sessions.warningSeconds,
    idleSeconds: config.live.idleSeconds,
    ended: ({ projectId }) => void texts.save(projectId).catch(onError),
    onError,
  });
}

/** What happens to sockets and texts when a lease ends. */
function ownerHooks({ db, owners, texts }: Options, sessions: Sessions): Parameters<Owners['start']>[0] {
  const sessionsOf = (project: string) => [...sessions.values()].filter(({ projectId }) => projectId === project);
  return {
    isInUse: (projectId) => sessionsOf(projectId).length > 0,
    async leave(projectId) {
      await texts.save(projectId);
      await texts.release(projectId);
    },
    async lost(projectId) {
      for (const session of sessionsOf(projectId)) closeSockets(session, liveCloseCodes.ownerMoved, 'Connect again');
      await texts.release(projectId);
    },
    async forgotten() {
      const node_id = owners.nodeId;
      const sockets = socketsOf(sessions);
      await addSockets(
        db,
        sockets.map(({ id, sessionId, userId }) => ({ id, node_id, session_id: sessionId, user_id: userId })),
      );
    },
  };
}
