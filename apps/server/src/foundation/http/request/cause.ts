import type { FastifyRequest } from 'fastify';
import { newId } from '../../ids.ts';
import type { CredentialKind, OauthApp } from './principal.ts';

/** Why something happens: who asked, and in which request. */
export type Cause = {
  actorId: string | null;
  /** As which of the actor's service accounts. */
  serviceAccount?: { id: string; name: string };
  /** By which program that acts for them. */
  app?: OauthApp;
  /** Of work that no request caused, such as an operator's command: the id of its run. */
  requestId: string;
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

/** For work that goes on after its request, whose id may be given, and for work that had none. */
export const causeOfRun = (actorId: string | null, requestId: string | null = null): Cause => ({
  actorId,
  requestId: requestId ?? newId('req'),
  idempotencyKey: null,
});

/** Whoever sends it may write anything into it, so it is bounded, and free of what PostgreSQL cannot hold. */
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
