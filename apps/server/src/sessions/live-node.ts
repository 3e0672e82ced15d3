import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.ts';
import { type Listener, listen } from '../db/listener.ts';
import type { ConnectionOptions, Db } from '../db/pool.ts';
import { unavailable } from '../http/app-error.ts';
import { principalOf } from '../http/guard.ts';
import type { Principal } from '../http/principal.ts';
import type { Upgrade } from '../http/upgrades.ts';
import type { LiveOwnership, LiveTexts } from '../live/index.ts';
import { credentialsHolding } from './credentials.ts';
import { createGateway, type Wanted } from './gateway.ts';
import { countSockets } from './live-sockets.sql.ts';
import { createLiveMetrics, type LiveMetrics } from './metrics.ts';
import { createOwners } from './owners.ts';
import { type SessionAccess, sessionAccess } from './session-access.ts';
import { mustFindOpen } from './sessions.service.ts';
import { sessionChannel } from './sessions.sql.ts';
import { redeemTicket } from './tickets.service.ts';

type Options = {
  db: Db;
  connection: ConnectionOptions;
  config: Config;
  /** The live texts, which ask whether they may still write. */
  createTexts(ownership: LiveOwnership): LiveTexts;
  /** At which other nodes reach this one; known once the port is. */
  address: () => string;
  onError(error: unknown, what: string): void;
};

/** The live part of a node: its sockets, its texts, and what it owes the other nodes. */
export type LiveNode = {
  texts: LiveTexts;
  metrics: LiveMetrics;
  open(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, wanted: Wanted): Promise<void>;
  redeem(ticket: string, sessionId: string): Promise<Principal>;
  /** For what belongs to a session and is another slice's. */
  access(principal: Principal, sessionId: string): Promise<SessionAccess>;
  credentialsChanged(): void;
  /** For whoever watches the service: of this node, and of all. */
  figures(): Promise<Record<string, unknown>>;
  start(): Promise<void>;
  drain(): Promise<void>;
};

export function createLiveNode({ db, connection, config, createTexts, address, onError }: Options): LiveNode {
  const metrics = createLiveMetrics();
  const credentialsHold = credentialsHolding(db, config.sessionLife.idleHours);
  const owners = createOwners({
    db,
    nodeId: randomUUID(),
    address,
    leaseSeconds: config.live.leaseSeconds,
    onError: (error) => onError(error, 'the leases of live texts could not be looked after'),
  });
  const texts = createTexts(owners);
  const gateway = createGateway({
    db,
    config,
    owners,
    texts,
    metrics,
    credentialsHold,
    onError: (error) => onError(error, 'a socket could not be looked after'),
  });
  let listener: Listener | null = null;
  const figures = () => ({ ...gateway.figures(), proxied: 0 });
  metrics.watch(figures);

  return {
    texts,
    metrics,
    async open(request, reply, upgrade, wanted) {
      const session = await mustFindOpen(db, wanted.sessionId, principalOf(request).userId);
      const place = await owners.placeOf(session.project_id);
      if (!place.here) throw unavailable(new Error('another node owns the project'));
      await gateway.open(request, reply, upgrade, wanted);
    },
    redeem: (ticket, sessionId) => redeemTicket({ db, credentialsHold }, ticket, sessionId),
    access: (principal, sessionId) => sessionAccess(db, principal, sessionId),
    credentialsChanged: gateway.credentialsChanged,
    figures: async () => ({ ...figures(), all_nodes: await countSockets(db) }),
    async start() {
      listener = listen({ connection, channel: sessionChannel, onChange: gateway.changed });
      await gateway.start();
    },
    async drain() {
      await gateway.drain();
      await listener?.close();
    },
  };
}
