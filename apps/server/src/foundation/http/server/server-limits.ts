import type { FastifyServerOptions } from 'fastify';
import { isUpgrade } from './upgrades.ts';

/** The limits of every connection, each with its reason. */
export const serverLimits = {
  // Headers of ours and of any proxy fit into a fraction of this; more is an attack or a mistake (431). We refuse a
  // missing Host ourselves, in the documented form (`request-form.ts`).
  http: { maxHeaderSize: 16_384, headersTimeout: 10_000, requireHostHeader: false, shouldUpgradeCallback: isUpgrade },
  // Limit for the whole request with its body: a client that drips bytes must not hold a connection (408).
  requestTimeout: 60_000,
  // Longer than the 60 s of common load balancers, so that they close idle connections and not we.
  keepAliveTimeout: 72_000,
  // No id or file name of ours in a path is longer.
  routerOptions: { maxParamLength: 300 },
} satisfies FastifyServerOptions & { http: object };
