import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allScopes, scopeMeanings } from '@bottega/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { HTTPMethods } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRateHeaders } from '../../../testing/clients/expect-error.ts';
import { call } from '../../../testing/clients/http-client.ts';
import { useTestService } from '../../../testing/service/test-service.ts';

const service = useTestService();

type Json = Record<string, unknown>;
type Response = { description?: string; headers?: Json; content?: Record<string, { schema: Json }> };
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: { bearer?: string[]; oauth2?: string[] }[];
  'x-required-scopes'?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Response>;
};
type OpenApi = {
  openapi: string;
  info: Json;
  servers: unknown;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
};

let document: OpenApi;
let operations: { name: string; path: string; method: string; operation: Operation }[];
beforeAll(async () => {
  document = (await call<OpenApi>('GET', `${service.url}/openapi.json`)).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
  );
});

/** Every object inside a value, including the value itself, with the path to it. */
function* objectsIn(value: unknown, path = '#'): Generator<[string, Json]> {
  if (value === null || typeof value !== 'object') return;
  yield [path, value as Json];
  for (const [key, item] of Object.entries(value)) yield* objectsIn(item, `${path}/${key}`);
}

/** The names of operations that break the rule: an empty list is easier to read than forty true ones. */
const breaking = (rule: (operation: Operation, about: { path: string; method: string }) => boolean): string[] =>
  operations.filter(({ operation, ...about }) => !rule(operation, about)).map(({ name }) => name);

type Inline = { properties?: Record<string, Inline>; items?: Inline; anyOf?: Inline[]; enum?: unknown };

/** Names that generators give to unnamed parts of a schema: the name of the whole, then the fields that lead there. */
function* namesOfParts(schema: Inline, name: string): Generator<string> {
  for (const [field, part] of Object.entries(schema.properties ?? {})) {
    const words = field.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const own = `${name}${words.join('')}`;
    const all = [part, ...(part.anyOf ?? [])].flatMap((one) => (one.items ? [one, one.items] : [one]));
    if (all.some((one) => one.properties ?? one.enum)) yield own;
    for (const one of all) yield* namesOfParts(one, own);
  }
}

describe('the document', () => {
  test('is made once, compressed as the client accepts it, and not sent again to clients that have it', async () => {
    const ask = (headers: Record<string, string>) => call('GET', `${service.url}/openapi.json`, { headers });
    const [plain, ...others] = await Promise.all(
      ['identity', 'gzip', 'br', 'br;q=0, gzip', 'gzip, br'].map((encoding) => ask({ 'accept-encoding': encoding })),
    );
    const encodings = others.map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual(['gzip', 'br', 'gzip', 'br']);
    for (const other of others) {
      expect(other.text).toBe(plain?.text);
      expect(Number(other.headers.get('content-length'))).toBeLessThan(100_000);
      expect(other.headers.get('vary')).toContain('accept-encoding');
    }
    const etags = [plain, ...others].map((answer) => answer?.headers.get('etag'));
    expect(new Set(etags).size).toBe(3);
    const again = await ask({ 'if-none-match': etags[0] ?? '', 'accept-encoding': 'identity' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('has no generated name that is also the name of a schema or of another part', () => {
    const schemas = document.components.schemas as Record<string, Inline>;
    const names = Object.keys(schemas);
    const parts = Object.entries(schemas).flatMap(([name, schema]) => [...new Set(namesOfParts(schema, name))]);
    expect(parts.length).toBeGreaterThan(50);
    const taken = new Set(names.map((name) => name.toLowerCase()));
    expect(parts.filter((part) => taken.has(part.toLowerCase()))).toEqual([]);
    expect(parts.filter((part, index) => parts.indexOf(part) !== index)).toEqual([]);
  });

  test('has as many operations as docs/conformance.md says', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/conformance.md'), 'utf8');
    const [, said] = /the (\d+) operations of the document/.exec(page) ?? [];
    expect(Number(said)).toBe(operations.length);
  });

  test('has every operation under one heading, projects first, and the second mount of webhooks last', () => {
    const names = (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['Projects', 'Files', 'History']);
    expect(names.at(-1)).toBe('Below /api/webhooks');
    const tagsOf = (operation: Operation) => (operation as { tags?: string[] }).tags ?? [];
    expect(breaking((one) => tagsOf(one).length === 1 && names.includes(tagsOf(one)[0] ?? ''))).toEqual([]);
    expect(breaking((one, { path }) => tagsOf(one)[0] !== 'Webhooks' || path.startsWith('/v1/'))).toEqual([]);
  });

  test('counts against the request limit of its address like any other request', async () => {
    const left = async () =>
      Number((await call('GET', `${service.url}/openapi.json`)).headers.get('x-ratelimit-remaining'));
    const before = await left();
    expect(await left()).toBe(before - 1);
  });

  test('is OpenAPI 3.1, served as JSON to anyone, with this server’s address', async () => {
    const answer = await call('GET', `${service.url}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expectRateHeaders(answer.headers);
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'Bottega', version: expect.any(String) });
    expect(document.servers).toMatchObject([{ url: service.url }, { url: `${service.url}/api` }]);
  });

  test('has only the members that OpenAPI 3.1 knows', () => {
    const known = ['openapi', 'info', 'servers', 'paths', 'components', 'tags', 'security', 'jsonSchemaDialect'];
    expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([]);
    const methods = ['get', 'put', 'post', 'delete', 'patch'];
    expect(operations.filter(({ method }) => !methods.includes(method))).toEqual([]);
  });

  test('has every path once, below /v1, and each of them answers below /api/v1 too; webhooks are at /api as well', () => {
    const { app } = service.service;
    const versioned = operations.filter(({ path }) => !path.startsWith('/api/webhooks'));
    const missing = versioned.flatMap(({ path, method }) => {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      return [url, `/api${url}`].filter(
        (one) => !app.hasRoute({ method: method.toUpperCase() as HTTPMethods, url: one }),
      );
    });
    expect(missing).toEqual([]);
    expect(versioned.filter(({ path }) => !path.startsWith('/v1/'))).toEqual([]);
    expect(operations.length).toBeGreaterThan(15);
  });

  test('names its mounts as servers, and a path behind each of them is answered', async () => {
    const { servers } = document as unknown as { servers: { url: string }[] };
    for (const { url } of servers) expect((await call('GET', `${url}/v1/user`)).status).toBe(401);
    // Below /api there is nothing else outside the second mount.
    const own = operations.filter(({ path }) => path.startsWith('/api/'));
    const elsewhere = own.filter(({ operation }) => {
      const { servers: [server] = [] } = operation as { servers?: { url: string }[] };
      return server?.url !== service.url;
    });
    expect(elsewhere.map(({ name }) => name)).toEqual([]);
  });

  test('has patterns that Python, Go and Java read as JavaScript does', () => {
    const patterns = [...objectsIn(document)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    );
    expect(patterns.length).toBeGreaterThan(20);
    const portable = /^(?:[^\\]|\\x[0-9A-Fa-f]{2}|\\[dswtnr]|\\[-.*+?^$(){}|[\]\\/~])*$/;
    expect(patterns.filter((pattern) => !portable.test(pattern))).toEqual([]);
    // RE2, which Go uses, has no look-ahead or look-behind.
    expect(patterns.filter((pattern) => /\(\?[=!<]/.test(pattern) || pattern.includes('[^]'))).toEqual([]);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  test('has an example of every body, which its schema accepts', () => {
    const ajv = formats.default(new Ajv({ strict: false }));
    const bodies = operations.flatMap(({ name, operation }) => {
      const json = operation.requestBody?.content['application/json'] as
        | { schema: Json; example?: unknown }
        | undefined;
      return json ? [{ name, ...json }] : [];
    });
    expect(bodies.length).toBeGreaterThan(40);
    const refused = bodies.flatMap(({ name, schema, example }) => {
      const validate = ajv.compile({ ...schema, components: document.components });
      return example !== undefined && validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(refused).toEqual([]);
  });

  test('passes a linter with its strictest set of rules', async () => {
    // This service is at localhost, and its document says so.
    const rules = { 'no-server-example.com': 'off' } as const;
    const config = await createConfig({ extends: ['recommended-strict'], rules });
    const source = JSON.stringify(document);
    const complaints = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(complaints.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  test('shows the examples that bodies have of their own, and how members of a record may be named', () => {
    const bodyOf = (path: string) => document.paths[path]?.post?.requestBody?.content['application/json'];
    expect(bodyOf('/v1/projects/{project_id}/commits')).toMatchObject({
      example: { changes: [{ action: 'create', content: expect.any(String) }] },
    });
    const variables = { propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' } };
    expect(bodyOf('/v1/projects/{project_id}/deployments')).toMatchObject({
      schema: { properties: { environment_variables: variables } },
    });
  });

  test('has no broken references', () => {
    const broken = [...objectsIn(document)].filter(([, { $ref }]) => {
      if ($ref === undefined) return false;
      const parts = String($ref).split('/');
      const target = parts.slice(1).reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document);
      return parts[0] !== '#' || target === undefined;
    });
    expect(broken).toEqual([]);
    expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))).toEqual([]);
  });

  test('has schemas that are valid JSON Schema, without keywords of older versions', () => {
    const ajv = formats.default(new Ajv({ strict: false, validateSchema: true }));
    ajv.addSchema({ ...document, $id: 'openapi.json' });
    const schemas = [...objectsIn(document.paths)].filter(([path]) => /\/(schema)$/.test(path));
    // Each schema once: all answers share the same few errors and headers, and compiling is slow.
    const distinct = new Map(
      [...schemas, ...Object.entries(document.components.schemas)].map(([path, schema]) => [
        JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/'),
        path,
      ]),
    );
    for (const [schema, path] of distinct) expect(() => ajv.compile(JSON.parse(schema)), path).not.toThrow();
    expect([...objectsIn(document)].filter(([, one]) => one.nullable === true)).toEqual([]);
  });
});

describe('every operation', () => {
  test('has an operationId of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][a-z0-9_]*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has a summary and one tag', () => {
    expect(breaking(({ summary = '', tags }) => summary.length > 5 && tags?.length === 1)).toEqual([]);
  });

  test('says which credential and which scope it needs', () => {
    expect(document.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
    const scopes: string[] = allScopes;
    const needed = (one: Operation) => one['x-required-scopes'] ?? [];
    expect(breaking((one) => one.security !== undefined && needed(one).every((s) => scopes.includes(s)))).toEqual([]);
    // Linters report scopes of a scheme that cannot define them.
    expect(breaking(({ security = [] }) => security.every(({ bearer = [] }) => bearer.length === 0))).toEqual([]);
    const open = breaking(({ security }) => security?.length !== 0);
    // A link shows what it leads to before the user signs in.
    const isOpen = /^(get|post) \/v1\/(auth\/|(invitations|collaboration\/sessions)\/\{\w+\}\/preview$)/;
    expect(open.filter((name) => !isOpen.test(name))).toEqual([]);
    const readsByRead = (one: Operation, { method }: { method: string }) =>
      method !== 'get' || needed(one).every((scope) => scope.startsWith('read:'));
    expect(breaking(readsByRead)).toEqual([]);
  });

  test('names the same scope for apps as for keys, or says in words that no app may call it', () => {
    expect(document.components.securitySchemes).toMatchObject({
      oauth2: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: `${service.url}/oauth/authorize`,
            tokenUrl: `${service.url}/oauth/token`,
            scopes: scopeMeanings,
          },
        },
      },
    });
    const scopesBy = (kind: 'bearer' | 'oauth2') => (one: Operation) =>
      one.security?.find((way) => kind in way)?.[kind];
    const forApps = operations.filter(({ operation }) => scopesBy('oauth2')(operation));
    expect(
      forApps.filter(({ operation: o }) => scopesBy('oauth2')(o)?.join() !== (o['x-required-scopes'] ?? []).join()),
    ).toEqual([]);
    const notForApps = operations.filter(
      ({ operation }) => scopesBy('bearer')(operation) && !forApps.some((one) => one.operation === operation),
    );
    expect(notForApps.map(({ name }) => name).filter((name) => !/\/admin\//.test(name))).toEqual(
      expect.arrayContaining(['post /v1/user/api-keys', 'delete /v1/user/oauth-apps/{app_id}']),
    );
    const unsaid = notForApps.filter(({ operation: { description = '' } }) => !/app|administrator/.test(description));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
    const scoped = operations.filter(({ operation }) => operation['x-required-scopes']?.length);
    const silent = scoped.filter(({ operation }) => !operation.description?.includes('`'));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('has a successful answer, and a description of every answer', () => {
    const successes = (responses: object) => Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(breaking(({ responses }) => successes(responses).length >= 1)).toEqual([]);
    expect(breaking(({ responses }) => Object.values(responses).every((one) => one.description))).toEqual([]);
  });

  test('documents its errors: the common ones, and those for an id in the path, a write and a body', () => {
    const documents =
      (...statuses: number[]) =>
      (operation: Operation) =>
        statuses.every((status) => String(status) in operation.responses);
    expect(breaking(documents(400, 401, 403, 408, 429, 431, 500, 503))).toEqual([]);
    expect(breaking((one, { path }) => !path.includes('{') || documents(404)(one))).toEqual([]);
    expect(breaking((one, { method }) => method === 'get' || documents(409, 413, 415)(one))).toEqual([]);
    expect(breaking((one) => !one.requestBody || documents(422)(one))).toEqual([]);
  });

  test('has the documented error body for every error and the documented headers on every answer', () => {
    const isError = { $ref: '#/components/schemas/Error' };
    const headers = [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-RateLimit-Window',
      'X-Request-Id',
    ];
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(Object.keys(response.headers ?? {}), `${name} ${status}`).toEqual(expect.arrayContaining(headers));
        if (Number(status) < 400) continue;
        expect(response.content, `${name} ${status}`).toEqual({ 'application/json': { schema: isError } });
      }
    }
    expect(document.components.schemas.Error).toMatchObject({
      properties: { error: { required: ['code', 'message', 'details', 'request_id', 'timestamp'] } },
    });
  });

  test('describes each placeholder of its path, and no other', () => {
    const placeholders = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const described = ({ parameters = [] }: Operation) => parameters.filter((one) => one.in === 'path');
    expect(
      breaking(
        (one, { path }) =>
          described(one)
            .map(({ name }) => name)
            .join() === placeholders(path).join(),
      ),
    ).toEqual([]);
    expect(breaking((one) => described(one).every(({ required }) => required === true))).toEqual([]);
  });

  test('does not require a parameter with a default, nor a body that is optional', () => {
    const asks = ({ parameters = [] }: Operation) => parameters.some((one) => one.required && 'default' in one.schema);
    expect(breaking((one) => !asks(one))).toEqual([]);
    const rotate = document.paths['/v1/user/api-keys/{key_id}/rotate']?.post;
    expect(rotate?.requestBody?.required).toBe(false);
    expect(document.paths['/v1/projects']?.post?.requestBody?.required).toBe(true);
  });

  test('takes an Idempotency-Key only if it creates something', () => {
    const takesKey = ({ parameters = [] }: Operation) => parameters.some(({ name }) => name === 'Idempotency-Key');
    const creates = (one: Operation, method: string) => method === 'post' && '201' in one.responses;
    expect(breaking((one, { method }) => takesKey(one) === creates(one, method))).toEqual([]);
  });
});

describe('the page at /docs', () => {
  test('is found from / and from /docs', async () => {
    for (const path of ['/', '/docs']) {
      const answer = await call('GET', `${service.url}${path}`);
      expect(answer.status).toBeGreaterThanOrEqual(300);
      expect(answer.headers.get('location')).toBe('/docs/');
    }
  });

  test('refers to nothing outside this server, and has no broken links', async () => {
    const page = await call('GET', `${service.url}/docs/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expectRateHeaders(page.headers);
    const addresses = new Set([...page.text.matchAll(/<[^>]+ (?:src|href)="([^"]+)"/g)].map(([, to = '']) => to));
    const places = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const [within, beyond] = [true, false].map((isWithin) =>
      [...addresses].filter((address) => address.startsWith('#') === isWithin),
    );
    expect(within?.filter((address) => !places.has(address))).toEqual([]);
    expect(beyond).toEqual(['data:,', '/', '/openapi.json', '/guide/']);
  });

  test('has every operation, each at a stable address, and every object', async () => {
    const { text } = await call('GET', `${service.url}/docs/`);
    for (const { method, path } of operations) expect(text).toContain(`/${method.toUpperCase()}${path}"`);
    expect(text).toContain('id="tag/api-keys/POST/v1/user/api-keys"');
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="schema/${name}"`);
  });

  test('is smaller than 60 kB, and is not sent again to clients that have it', async () => {
    const url = `${service.url}/docs/`;
    const page = await call('GET', url, { headers: { 'accept-encoding': 'br' } });
    expect(page.headers.get('content-encoding')).toBe('br');
    expect(Number(page.headers.get('content-length'))).toBeLessThan(60_000);
    const headers = { 'accept-encoding': 'br', 'if-none-match': page.headers.get('etag') ?? '' };
    expect((await call('GET', url, { headers })).status).toBe(304);
  });

  test('runs only its own script and style, unchanged, and connects to no other server', async () => {
    const { text, headers } = await call('GET', `${service.url}/docs/`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const name of ['script', 'style']) {
      const own = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(own).digest('base64');
      expect(policy).toContain(`${name}-src 'sha256-${hash}';`);
    }
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toContain('unsafe');
  });
});
