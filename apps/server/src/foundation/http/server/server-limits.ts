import type { FastifyServerOptions } from 'fastify';
import { isUpgrade } from './upgrades.ts';

/** The limits of every connection, each with its reason. */
export const serverLimits = {
  // Our headers and those of any proxy need a fraction of this. More is an attack or a mistake (431). A missing Host is
  // refused in our own code, in the documented form (`request-form.ts`).
  http: { maxHeaderSize: 16_384, headersTimeout: 10_000, requireHostHeader: false, shouldUpgradeCallback: isUpgrade },
  // Limit for the whole request including its body, so that a client that sends single bytes cannot occupy a connection
  // (408).
  requestTimeout: 60_000,
  // Longer than the 60 s of common load balancers, so that they close idle connections before we do.
  keepAliveTimeout: 72_000,
  // No id or file name in a path is longer.
  routerOptions: { maxParamLength: 300 },
} satisfies FastifyServerOptions & { http: object };
