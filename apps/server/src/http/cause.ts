import type { FastifyRequest } from 'fastify';

/** Why something happens: who asked, and in which request. Work that no request caused has neither. */
export type Cause = { actorId: string | null; requestId: string | null; idempotencyKey: string | null };

export function causeOf(request: FastifyRequest): Cause {
  const key = request.headers['idempotency-key'];
  return {
    actorId: request.principal?.userId ?? null,
    requestId: request.id,
    idempotencyKey: typeof key === 'string' ? key : null,
  };
}
