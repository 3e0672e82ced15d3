import { ErrorBody } from '@bottega/contract';
import type { FastifySchema } from 'fastify';
import { type Operation, operationOf } from './openapi-operation.ts';
import { exampleOf, type Json, withEnums, withoutOwnFormats, withPortablePatterns } from './openapi-portable.ts';
import { inWords, type RouteAccess, scopesOf, securityOf } from './openapi-security.ts';

export type OpenApiDocument = Json & { components?: Json; paths: Record<string, Record<string, Operation>> };
export type DescribedRoute = { method: string; url: string; schema: FastifySchema; access: RouteAccess };

const info = {
  title: 'Bottega',
  version: '1',
  license: { name: 'MIT', identifier: 'MIT' },
  description:
    'A self-hosted cloud development platform. All routes under `/v1` are also available under `/api/v1`. ' +
    'The webhook routes are also available under `/api/webhooks`, with other defaults. ' +
    'Every response includes `X-Request-Id` and the rate-limit headers. ' +
    'Strings must be well-formed Unicode. A string with an unpaired surrogate causes a 422.',
};

const rateHeaders = Object.fromEntries(
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Window', 'X-Request-Id'].map(
    (name) => [name, { schema: { type: name === 'X-Request-Id' ? 'string' : 'integer' } }],
  ),
);

const errorMeanings: Record<string, string> = {
  400: 'Malformed request',
  401: 'The credential is missing or invalid',
  403: 'Not allowed',
  404: 'Not found',
  409: 'The request conflicts with the current state',
  410: 'No longer available',
  412: 'The file does not match `If-Match` or `If-None-Match`',
  413: 'The request body is too large',
  415: 'The content type is not JSON',
  416: 'The range is outside the file',
  408: 'The request took too long to arrive',
  422: 'The request is not valid; `details` lists the invalid fields',
  429: 'Too many requests; `Retry-After` specifies when to retry',
  431: 'The headers and the URL are too large',
  500: 'Internal error',
  503: 'Temporarily unavailable; `Retry-After` specifies when to retry',
};

/**
 * Describes all routes. To each route's own schemas, it adds what all routes have: who may call the route, headers,
 * errors and idempotency.
 */
export function describeRoutes(routes: DescribedRoute[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const { method, url, schema, access } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const operation = operationOf(path, schema);
    describe(operation, { path, method, asked: access });
    paths[path] = { ...paths[path], [method]: operation };
  }
  const document = { openapi: '3.1.0', info, paths };
  const components = { schemas: {} };
  const lifted = liftTitled(
    withEnums(withoutOwnFormats(withPortablePatterns(document))),
    components.schemas,
  ) as OpenApiDocument;
  return { ...lifted, components };
}

/**
 * Adds the server to operations outside `/v1`. Unlike those below `/v1`, they have no second mount below `/api`, so
 * each has only one server. The address of the server is absolute, because generated clients would take `/` for a host
 * name.
 */
export function withServers(document: OpenApiDocument, url: string): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    if (path.startsWith('/v1/')) return [path, operations];
    const named = Object.entries(operations).map(([method, one]) => [method, { ...one, servers: [{ url }] }]);
    return [path, Object.fromEntries(named)];
  });
  const servers = [
    { url, description: 'The routes in this document, under /v1 and /api/webhooks' },
    { url: `${url}/api`, description: 'The same routes under /api/v1' },
  ];
  return { ...document, paths: Object.fromEntries(paths), servers };
}

function describe(operation: Operation, about: { path: string; method: string; asked: RouteAccess }): void {
  const { path, method, asked } = about;
  operation.operationId ??= [method, ...path.split('/').filter((part) => part && part !== 'v1')]
    .map((part) => part.replaceAll(/[{}]/g, ''))
    .join('_')
    .replaceAll('-', '_');
  operation.security = securityOf(asked);
  const scopes = scopesOf(asked);
  if (scopes.length > 0) operation['x-required-scopes'] = scopes;
  operation.description ??= inWords(asked);
  describeWhatMayBeAbsent(operation);
  const json = operation.requestBody?.content['application/json'];
  if (json) json.example ??= exampleOf(json.schema);
  const creates = method === 'post' && '201' in operation.responses;
  if (creates) operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
  for (const answer of Object.values(operation.responses)) answer.headers = rateHeaders;
  // A route's own errors are added to those that follow from the kind of request.
  const own = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
  for (const status of new Set([...own, ...errorsOf({ ...about, hasBody: json !== undefined })])) {
    operation.responses[status] = {
      description: errorMeanings[status],
      headers: rateHeaders,
      content: { 'application/json': { schema: ErrorBody } },
    };
  }
}

/**
 * Marks what clients may omit. A value with a default need not be sent, although the handler always has it. A nullable
 * body need not be sent either.
 */
function describeWhatMayBeAbsent({ parameters = [], requestBody }: Operation): void {
  for (const parameter of parameters) if ('default' in parameter.schema) parameter.required = false;
  const schema = requestBody?.content['application/json']?.schema;
  if (requestBody && schema?.anyOf?.some(({ type }) => type === 'null')) requestBody.required = false;
}

function errorsOf({ path, method, hasBody }: { path: string; method: string; hasBody: boolean }): string[] {
  return [
    '400',
    '401',
    '403',
    ...(path.includes('{') ? ['404'] : []),
    '408',
    // A body is checked even if the route expects none.
    ...(method === 'get' ? [] : ['409', '413', '415']),
    ...(hasBody ? ['422'] : []),
    '429',
    '431',
    '500',
    '503',
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  description: 'For 24 hours, requests with the same key and body return the first response',
};

/** Turns schemas with a title into components, so that generated clients have one type for each. */
function liftTitled(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => liftTitled(item, schemas));
  if (value === null || typeof value !== 'object') return value;
  const lifted = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, liftTitled(item, schemas)]));
  const { title } = value as Json;
  if (typeof title !== 'string' || !('properties' in value)) return lifted;
  schemas[title] = lifted;
  return { $ref: `#/components/schemas/${title}` };
}
