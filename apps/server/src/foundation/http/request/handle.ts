import type { Params, Route } from '@bottega/contract';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { checksWithSchema, type FieldChecks } from './field-checks.ts';
import type { App } from './typed-app.ts';

type DefinedRoute = Route & { tag: string };

/** The server-side options of a route: hooks, limits, and how it accepts credentials. */
type Options = Omit<RouteOptions, 'method' | 'url' | 'schema' | 'handler'>;

/**
 * The options of a route. `checks` are checks of fields beyond their schema. Their problems are reported together with
 * those that the schema finds.
 */
type OptionsOf<R extends Route> = Options & {
  checks?: (
    request: Parameters<Handler<R>>[0],
  ) => FieldChecks<R extends { body: infer Body extends TSchema } ? Static<Body> : never>;
};

/** A handler whose request and response have the types of the route's schemas. */
type Handler<R extends Route> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  { Params: Params<R> },
  ContextConfigDefault,
  {
    querystring: Schema<R, 'query'>;
    headers: Schema<R, 'headers'>;
    body: Schema<R, 'body'>;
    response: R['responses'];
  },
  TypeBoxTypeProvider
>;
type Schema<R, Part extends string> = R extends { [Key in Part]: infer Given } ? Given : undefined;

/**
 * Registers a route of the contract. The response gets the status that the route documents for success. A handler sets
 * the status itself only if the route documents several.
 */
export function handle<R extends DefinedRoute>(app: App, route: R, handler: Handler<R>): void;
export function handle<R extends DefinedRoute>(app: App, route: R, options: OptionsOf<R>, handler: Handler<R>): void;
export function handle(app: App, route: DefinedRoute, given: AnyOptions | AnyHandler, last?: AnyHandler): void {
  const [{ checks, ...options }, handler]: [AnyOptions, AnyHandler] =
    typeof given === 'function' ? [{}, given] : [given, last as AnyHandler];
  const { address, access, notForApps, forServiceAccounts } = route;
  const [method = '', path = ''] = address.split(' ');
  app.route({
    ...options,
    ...(checks && { attachValidation: true, preHandler: [checksWithSchema(checks), options.preHandler ?? []].flat() }),
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      ...options.config,
      access,
      ...(notForApps && { notForApps }),
      ...(forServiceAccounts && { forServiceAccounts }),
    },
    schema: schemaOf(route),
    handler: withStatus(statusOf(route), handler),
  });
}

function schemaOf(route: DefinedRoute) {
  const { tag, address, summary, description, hidden, query, headers, body, responses } = route;
  // The document always contains the parameters of a path. Without a schema for them, they would come after the
  // headers, and the arguments of generated clients have the order of the document.
  const params = route.params ?? (headers && paramsOf(address));
  return {
    tags: [tag],
    ...(summary && { summary }),
    ...(description && { description }),
    ...(hidden && { hide: true }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    ...(Object.keys(responses).length > 0 && { response: responses }),
  };
}

function paramsOf(address: string): TSchema {
  const names = Array.from(address.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a handler depend on its route
type AnyHandler = (request: any, reply: any) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: the same.
type AnyOptions = Options & { checks?: (request: any) => FieldChecks<any> };

/**
 * Returns the status that the route documents for success. If it documents several, returns 200, Fastify's own default.
 */
function statusOf({ responses }: Route): number {
  const successes = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300);
  return successes.length === 1 ? (successes[0] ?? 200) : 200;
}

function withStatus(status: number, handler: AnyHandler): AnyHandler {
  if (status === 200) return handler;
  if (status !== 204) return (request, reply) => handler(request, reply.code(status));
  return async (request, reply) => {
    await handler(request, reply.code(204));
    return null;
  };
}
