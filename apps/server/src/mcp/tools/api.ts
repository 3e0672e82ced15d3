import type { Route } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, forbidden } from '../../foundation/http/index.ts';

/** The values of one request, by the names that the route uses. */
export type Wanted = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
};
export type Answer = { status: number; headers: Record<string, string | undefined>; body: Buffer };

/** Calls a route of the API for the caller of a request. */
export type Api = (route: Route, wanted: Wanted) => Promise<Answer>;

/** Returns the headers with which the service sends itself another request on behalf of the caller of this one. */
export type AsCaller = (request: FastifyRequest, other: { method: string; url: string }) => Record<string, string>;

/**
 * Returns the functions by which tools call the API. So a tool can do only what the API allows the caller. Rights,
 * limits, idempotency, events and the audit log are those of the route, also after they change.
 */
export function apiFor(app: App, asCaller: AsCaller): (request: FastifyRequest) => Api {
  return (request) =>
    async ({ address }, { params = {}, query = {}, body, headers = {} }) => {
      const [method = 'GET', path = ''] = address.split(' ');
      const url = `/v1${path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(params[name] ?? ''))}${queryOf(query)}`;
      const answer = await app.inject({
        method: method as 'GET',
        url,
        headers: {
          ...headers,
          ...asCaller(request, { method, url }),
          'user-agent': request.headers['user-agent'] ?? '',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string | undefined>,
        body: answer.rawPayload,
      };
    };
}

/** Refuses routes that write. A tool that reads may call one, for example to start a workspace that it needs. */
export const readingOnly =
  (api: Api): Api =>
  async (route, wanted) => {
    if (route.access.startsWith('write:')) {
      throw forbidden(`This address is read-only, and the tool would need ${route.address}`);
    }
    return api(route, wanted);
  };

function queryOf(values: Record<string, unknown>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
