import type { FastifyRequest } from 'fastify';
import { forbidden } from '../foundation/http/index.ts';
import { isLoopback } from '../foundation/http/watching/health.ts';

type Site = { publicUrl: string; origins: readonly string[] };

/**
 * Refuses requests from pages of other sites, including pages whose host name resolves to this machine (DNS rebinding).
 * A browser sends the origin of the page and the host that it requested. Other programs send no origin.
 */
export function mustBeMeantForUs({ headers }: FastifyRequest, { publicUrl, origins }: Site): void {
  const { origin, host } = headers;
  const mayAsk = [new URL(publicUrl).origin, ...origins];
  if (origin !== undefined && !mayAsk.includes(origin) && !mayAsk.includes('*')) {
    throw forbidden('The request came from a page on another site');
  }
  // If only this machine can reach the service, requests must use a name of this machine.
  const asked = `http://${host}`;
  const isOurs = !isLoopback(publicUrl) || (URL.canParse(asked) && isLoopback(asked));
  if (!isOurs) throw forbidden('The Host header does not name this service');
}
