import type { FastifyRequest } from 'fastify';
import { newId } from '../../ids.ts';
import type { CredentialKind, OauthApp } from './principal.ts';

/** Why something happens: who asked for it, and in which request. */
export type Cause = {
  actorId: string | null;
  /** The service account of the actor that made the request. */
  serviceAccount?: { id: string; name: string };
  /** The app that acts for the actor. */
  app?: OauthApp;
  /** For work that no request caused, such as an operator's command, this is the id of the run. */
  requestId: string;
  idempotencyKey: string | null;
  /** Where the request came from, for the audit log. */
  origin?: Origin;
};

/** A request always has an origin. Only background work has none. */
export type RequestCause = Cause & { origin: Origin };

export type Origin = {
  address: string;
  userAgent: string;
  credential: { kind: CredentialKind; id: string } | null;
};

export function causeOf(request: FastifyRequest): RequestCause {
  const key = request.headers['idempotency-key'];
  const { app, serviceAccount } = request.principal ?? {};
  return {
    actorId: request.principal?.userId ?? null,
    ...(serviceAccount && { serviceAccount: { id: serviceAccount.id, name: serviceAccount.name } }),
    ...(app && { app }),
    requestId: request.id,
    idempotencyKey: typeof key === 'string' ? key : null,
    origin: originOf(request),
  };
}

/**
 * The cause of work without a request, or of work that continues after its request. In the latter case, the caller
 * passes the id of the request.
 */
export const causeOfRun = (actorId: string | null, requestId: string | null = null): Cause => ({
  actorId,
  requestId: requestId ?? newId('req'),
  idempotencyKey: null,
});

/**
 * Clients may send any text as their user agent. So it is cut off at this length, and characters that PostgreSQL cannot
 * store are removed.
 */
const longestUserAgent = 300;

function originOf(request: FastifyRequest): Origin {
  const { principal } = request;
  const text = request.headers['user-agent'] ?? '';
  return {
    address: request.ip,
    userAgent: text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longestUserAgent),
    credential: principal && { kind: principal.credential.kind, id: principal.credential.id },
  };
}
