import type { FastifyRequest } from 'fastify';
import type { CredentialKind } from './principal.ts';

/** Why something happens: who asked, and in which request. Work that no request caused has neither. */
export type Cause = {
  actorId: string | null;
  requestId: string | null;
  idempotencyKey: string | null;
  /** How the request came; for the audit log. */
  origin?: Origin;
};

/** A request has an origin always; only work in the background has none. */
export type RequestCause = Cause & { origin: Origin };

export type Origin = {
  address: string;
  userAgent: string;
  credential: { kind: CredentialKind; id: string } | null;
};

export function causeOf(request: FastifyRequest): RequestCause {
  const key = request.headers['idempotency-key'];
  return {
    actorId: request.principal?.userId ?? null,
    requestId: request.id,
    idempotencyKey: typeof key === 'string' ? key : null,
    origin: originOf(request),
  };
}

/** Whoever sends it may write anything into it, so it is bounded, and free of what PostgreSQL cannot hold. */
const longestUserAgent = 300;

export function originOf(request: FastifyRequest): Origin {
  const { principal } = request;
  const text = request.headers['user-agent'] ?? '';
  return {
    address: request.ip,
    userAgent: text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longestUserAgent),
    credential: principal && { kind: principal.credential.kind, id: principal.credential.id },
  };
}
