import type { FastifyRequest } from 'fastify';
import { forbidden } from '../foundation/http/index.ts';
import { isLoopback } from '../foundation/http/watching/health.ts';

type Site = { publicUrl: string; origins: readonly string[] };

/**
 * Against pages of other sites, also those whose name was made to lead to this machine (DNS rebinding): a browser says
 * which page asks, and which host it believes to have asked. Programs that are no browsers say no origin.
 */
export function mustBeMeantForUs({ headers }: FastifyRequest, { publicUrl, origins }: Site): void {
  const { origin, host } = headers;
  const mayAsk = [new URL(publicUrl).origin, ...origins];
  if (origin !== undefined && !mayAsk.includes(origin) && !mayAsk.includes('*')) {
    throw forbidden('The request came from a page on another site');
  }
  // A service for this machine alone is asked by a name of this machine.
  const asked = `http://${host}`;
  const isOurs = !isLoopback(publicUrl) || (URL.canParse(asked) && isLoopback(asked));
  if (!isOurs) throw forbidden('The Host header does not name this service');
}
