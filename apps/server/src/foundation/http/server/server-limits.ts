import type { FastifyServerOptions } from 'fastify';
import { isUpgrade } from './upgrades.ts';

/** The bounds on every connection, each with its reason. */
export const serverLimits = {
  // Headers of ours and of any proxy fit into a fraction of this; more is an attack or a mistake (431).
  // A missing Host is refused by us, in the documented form (`request-form.ts`).
  http: { maxHeaderSize: 16_384, headersTimeout: 10_000, requireHostHeader: false, shouldUpgradeCallback: isUpgrade },
  // The whole request, body included, within a minute: a client that drips bytes must not hold a connection (408).
  requestTimeout: 60_000,
  // Longer than the 60 s of common load balancers, so that they, not we, close idle connections.
  keepAliveTimeout: 72_000,
  // No id or file name of ours in a path is longer.
  routerOptions: { maxParamLength: 300 },
} satisfies FastifyServerOptions & { http: object };
