import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { KeyedQueue } from '../foundation/concurrency/keyed-queue.ts';
import { type Db, inBatches } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, Guard, HeavyReads } from '../foundation/http/index.ts';
import type { OwnOrigins } from '../foundation/http/request/same-origin.ts';
import { isId } from '../foundation/ids.ts';
import type { Slice } from '../foundation/slice.ts';
import type { Quota } from '../repository/store/index.ts';
import { commentBySocket, commentRoutes, projectCommentRoutes } from './comments/index.ts';
import { countLiveBytes } from './live-bytes.sql.ts';
import {
  collaborationRoutes,
  deleteExpiredTickets,
  deleteOldSessions,
  noteActive,
  participantRoutes,
  sessionFileRoutes,
} from './sessions/index.ts';
import {
  createDiskChanges,
  createLiveNode,
  liveTextRoutes,
  socketAuthenticator,
  socketRoutes,
} from './sockets/index.ts';
import {
  createLiveTexts,
  createTextMetrics,
  type LiveEngine,
  type LiveOwnership,
  type LiveTexts,
  purgeTexts,
} from './texts/index.ts';

/** The number of sessions that one statement deletes. It is small, because each session may have 5,000 comments. */
const sessionsAtOnce = 20;

type Needs = {
  writing: { writeQueue: KeyedQueue; quota: Quota };
  heavy: HeavyReads;
  identity: {
    authenticate: Guard['authenticate'];
    origins: OwnOrigins;
  };
  /** Replaces the live texts in tests of sockets. */
  createTexts?: ((ownership: LiveOwnership) => LiveTexts) | undefined;
};

/** Live collaboration: sessions, their sockets, live texts and comments. */
export function createCollaboration(ground: Ground, { writing, heavy, identity, createTexts }: Needs) {
  const { config, db, once, publicUrl, role } = ground;
  const onError = ground.warn('live');
  const textMetrics = createTextMetrics();
  function textsOf(ownership: LiveOwnership): LiveEngine {
    const texts = createLiveTexts({
      db,
      ...writing,
      publicUrl,
      ownership,
      limits: config.liveTexts,
      fileLimit: config.fileLimit,
      metrics: textMetrics,
      comment: (peer, comment) => commentBySocket({ db, texts }, peer, comment),
      onError,
    });
    return texts;
  }
  const live = createLiveNode({
    db,
    vital: ground.vital,
    connection: ground.connection,
    config,
    secretKey: ground.secretKey,
    createTexts: (ownership) => ({ ...textsOf(ownership), ...createTexts?.(ownership) }),
    address: () => addressOf(ground),
    onError,
  });
  ground.caches.register('credentials', live.credentialsChanged);
  const settings = { publicUrl, invites: ground.secrets('session invites'), ...config.sessions };

  return {
    figures: live.figures,
    /** Applies a program's change of a file on a workspace's disk to the live text of that file. */
    sendDiskChange: createDiskChanges({ db, peers: live.peers, leaseSeconds: config.live.leaseSeconds }),
    /** Also accepts requests that another node forwards, with that node's claim about the caller. */
    authenticate: socketAuthenticator(identity.authenticate, { ...live, origins: identity.origins }),
    /** Headers that let the service send itself a request as this caller, without counting it again. */
    asCaller: live.peers.headersForOwn,
    isCounted: (request: FastifyRequest) => live.peers.read(request.raw) !== null,
    requestIdOf: (request: FastifyRequest['raw']) => live.peers.read(request)?.request_id,
    routes(api: App) {
      api.register(async (scope: App) => {
        scope.addHook('preHandler', async ({ params, principal }) => {
          const { session_id: id = '' } = params as { session_id?: string };
          if (principal && isId('ses', id)) await noteActive(db, id, principal.userId);
        });
        collaborationRoutes(scope, { ...once, settings });
        participantRoutes(scope, { db, settings });
        sessionFileRoutes(scope, { db, heavy });
        socketRoutes(scope, live);
        liveTextRoutes(scope, { db, texts: live.texts, peers: live.peers, atOwner: live.answerAtOwner });
        const commenting = { ...once, texts: live.texts, atOwner: live.answerAtOwner };
        commentRoutes(scope, { ...commenting, access: live.access });
        projectCommentRoutes(scope, { ...commenting, publicUrl });
      });
    },
    metrics(registry: Registry) {
      live.metrics.register(registry);
      textMetrics.register(registry);
    },
    cleaning: [
      deleteExpiredTickets,
      (all: Db) => inBatches((max) => deleteOldSessions(all, config.sessions.keptDays, max), { first: sessionsAtOnce }),
      purgeTexts,
      countLiveBytes,
    ],
    async listening() {
      if (role !== 'worker') await live.start();
    },
    drain: live.drain,
    stop: live.close,
  } satisfies Slice & Record<string, unknown>;
}

/**
 * The address for other nodes. If a machine has several processes, or if clients use TLS, each process listens for
 * other nodes on its own port.
 */
function addressOf({ config, address }: Ground): string {
  if (config.nodeUrl === null) return ownAddress(config.host, address.ownPort());
  return address.ownPort() === address.port()
    ? config.nodeUrl
    : ownAddress(new URL(config.nodeUrl).hostname.replaceAll(/[[\]]/g, ''), address.ownPort());
}

/** An address that every node on this machine, or on its network, can connect to. */
function ownAddress(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  const name = isAny ? (outward ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
