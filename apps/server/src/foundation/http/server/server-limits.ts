import type { FastifyServerOptions } from 'fastify';
import { isUpgrade } from './upgrades.ts';

/** The limits of every connection, each with its reason. */
export const serverLimits = {
  // The headers that we and any proxy need take a fraction of this size. More is an attack or a mistake (431). A
  // missing Host header is refused by our own code, in the documented form (`request-form.ts`).
  http: { maxHeaderSize: 16_384, headersTimeout: 10_000, requireHostHeader: false, shouldUpgradeCallback: isUpgrade },
  // Limit for the whole request including its body, so that a client that sends single bytes cannot occupy a connection
  // (408).
  requestTimeout: 60_000,
  // Longer than the 60 s of common load balancers, so that they close idle connections before we do.
  keepAliveTimeout: 72_000,
  // No id and no file name that is a path parameter is longer.
  routerOptions: { maxParamLength: 300 },
} satisfies FastifyServerOptions & { http: object };
