import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { type Heartbeat, startHeartbeat } from '../../foundation/concurrency/heartbeat.ts';
import { once } from '../../foundation/concurrency/once.ts';
import type { Config } from '../../foundation/config/index.ts';
import type { ConnectionOptions, Db } from '../../foundation/db/index.ts';
import { type Listener, listen } from '../../foundation/db/listener.ts';
import { type Principal, principalOf } from '../../foundation/http/index.ts';
import type { Upgrade } from '../../foundation/http/server/upgrades.ts';
import { readableProject } from '../../projects/index.ts';
import { mustFindOpen, redeemTicket, type SessionAccess, sessionAccess, sessionChannel } from '../sessions/index.ts';
import type { LiveOwnership, LiveTexts } from '../texts/index.ts';
import { createAtOwner, type OwnerNode } from './at-owner.ts';
import { createForwarding } from './forwarding.ts';
import { createGateway, type Wanted } from './gateway.ts';
import { credentialsHolding } from './held-credentials.ts';
import { countSockets } from './live-sockets.sql.ts';
import { createLiveMetrics, type LiveMetrics } from './metrics.ts';
import { listNodes, type Node } from './owners.sql.ts';
import { createOwners, type Owners } from './owners.ts';
import { createPeers, type Peers } from './peer-requests.ts';
import { createProxiedSockets, type ProxiedSockets } from './proxied-sockets.ts';

type Options<Texts> = {
  db: Db;
  vital: Db;
  connection: ConnectionOptions;
  config: Config;
  /** Creates the live texts. They use `ownership` to ask whether they may still write. */
  createTexts(ownership: LiveOwnership): Texts;
  secretKey: Buffer;
  /** The address at which other nodes reach this one. It is known once the port is known. */
  address: () => string;
  onError(error: unknown, what: string): void;
};

const recoverMs = 15_000;

/** The live part of a node: its sockets, its texts, and what it does for other nodes. */
export type LiveNode<Texts extends LiveTexts = LiveTexts> = {
  texts: Texts;
  metrics: LiveMetrics;
  peers: Peers;
  nodeId: string;
  /** The nodes that are known to be alive. */
  listNodes(): Promise<Node[]>;
  /** For routes of a session or a project that need its texts. If another node owns the project, that node responds. */
  answerAtOwner: preHandlerAsyncHookHandler;
  open(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, wanted: Wanted): Promise<void>;
  redeem(ticket: string, sessionId: string): Promise<Principal>;
  /** A user's rights in a session, for other slices. */
  access(principal: Principal, sessionId: string): Promise<SessionAccess>;
  credentialsChanged(userId?: string): void;
  /** Figures for monitoring, of this node and of all nodes. */
  figures(): Promise<Record<string, unknown>>;
  start(): Promise<void>;
  /** Closes the sockets after everything is stored. */
  drain(): Promise<void>;
  /** Called after the last request. May be called again. */
  close(): Promise<void>;
};

export function createLiveNode<Texts extends LiveTexts>(options: Options<Texts>): LiveNode<Texts> {
  const { db, vital, connection, config, createTexts, address, onError } = options;
  const metrics = createLiveMetrics();
  const credentialsHold = credentialsHolding(db, config.sessionLife.idleHours);
  const nodeId = randomUUID();
  const peers = createPeers(options.secretKey, nodeId);
  const proxied = createProxiedSockets(peers, metrics);
  const owners = createOwners({
    db,
    vital,
    nodeId,
    address,
    leaseSeconds: config.live.leaseSeconds,
    onError: (error) => onError(error, 'failed to renew the leases of live texts'),
  });
  const texts = createTexts(owners);
  let listener: Listener | null = null;
  const gateway = createGateway({
    db,
    config,
    owners,
    texts,
    metrics,
    credentialsHold,
    isListening: () => listener?.isListening() ?? false,
    onError: (error) => onError(error, 'failed to maintain sockets'),
  });
  let following: NodeJS.Timeout | undefined;
  let recovering: Heartbeat | undefined;
  const figures = () => ({ ...gateway.figures(), proxied: proxied.count() });
  metrics.watch(figures);

  const atOwner = createAtOwner({ owners, peers, maxMs: (config.live.leaseSeconds + 3) * 1000 });
  const requests = createForwarding(peers);
  const projectOf = async (request: FastifyRequest, sessionId: string) =>
    (await mustFindOpen(db, sessionId, principalOf(request).userId)).project_id;

  return {
    texts,
    metrics,
    peers,
    nodeId,
    listNodes: () => listNodes(vital, config.live.leaseSeconds),
    async answerAtOwner(request, reply) {
      const { session_id: sessionId = '', project_id: named } = request.params as Record<string, string>;
      const projectId =
        named === undefined
          ? await projectOf(request, sessionId)
          : (await readableProject(db, named, principalOf(request).userId)).id;
      const isHere = await atOwner(request, projectId, (owner) => requests.forward(request, reply, owner));
      return isHere ? undefined : reply;
    },
    async open(request, reply, upgrade, wanted) {
      const projectId = await projectOf(request, wanted.sessionId);
      const passOn = (owner: OwnerNode) => proxied.passOn(request, reply, upgrade, { ...owner, projectId });
      if (await atOwner(request, projectId, passOn)) await gateway.open(request, reply, upgrade, wanted);
    },
    redeem: (ticket, sessionId) => redeemTicket({ db, credentialsHold }, ticket, sessionId),
    access: (principal, sessionId) => sessionAccess(db, principal, sessionId),
    credentialsChanged: gateway.credentialsChanged,
    figures: async () => ({ ...figures(), all_nodes: await countSockets(db) }),
    async start() {
      listener = listen({ connection, channel: sessionChannel, onChange: gateway.changed });
      await gateway.start();
      following = setInterval(() => {
        followOwners(owners, proxied).catch((error) =>
          onError(error, 'failed to look up the nodes of proxied sockets'),
        );
      }, 1_000);
      recovering = startHeartbeat({
        everyMs: recoverMs,
        beat: texts.recover,
        onError: (error) => onError(error, 'failed to look for live texts of dead nodes'),
      });
    },
    async drain() {
      clearInterval(following);
      await recovering?.stop();
      proxied.drain();
      await gateway.drain();
    },
    close: once(async () => {
      await Promise.all([gateway.close(), requests.close(), listener?.close()]);
    }),
  };
}

/**
 * Closes forwarded sockets whose node no longer owns the project. The connections of a node that dies silently stay
 * open until its lease expires.
 */
async function followOwners(owners: Owners, proxied: ProxiedSockets): Promise<void> {
  const relied = proxied.owners();
  if (relied.size === 0) return;
  const now = await owners.ownersOf([...relied.keys()]);
  for (const [projectId, owner] of relied) if (now.get(projectId) !== owner) proxied.ownerGone(projectId);
}
