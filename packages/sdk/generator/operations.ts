import { type Route, routes } from '@bottega/contract';
import { methodNames, repeatablePosts, writtenByHand } from './method-names.ts';
import type { Schema } from './schema-types.ts';

type RouteName = keyof typeof methodNames;
type Response = { status: number; schema: Schema };

/** A route as a method of the client: everything generated follows from this. */
export type Method = {
  routeName: RouteName;
  resource: string;
  name: string;
  route: Route;
  /** The parameters of its path, in order. */
  params: string[];
  query?: Schema;
  body?: Schema;
  /** Whether body or query may be left out. */
  isInputOptional: boolean;
  answer: { kind: 'json'; schema: Schema } | { kind: 'nothing' } | { kind: 'bytes' };
  /** For a list: the field of the answer that holds its items. */
  items?: string;
  /** Whether the next page is requested by offset; otherwise the `Link` header names it. */
  hasOffset: boolean;
  /** `key`: with an Idempotency-Key; `never`: sent once, unless the service says that it did nothing. */
  repeat?: 'key' | 'never';
  isByHand: boolean;
};

export function allMethods(): Method[] {
  return (Object.keys(methodNames) as RouteName[]).map(methodOf);
}

function methodOf(routeName: RouteName): Method {
  const route: Route = routes[routeName];
  const [resource = '', name = ''] = methodNames[routeName].split('.');
  const body = jsonOf(route.body);
  const query = route.query as Schema | undefined;
  const input = body ?? query;
  const answer = answerOf(route);
  const items = answer.kind === 'json' && isList(routeName) ? itemsOf(answer.schema) : undefined;
  const repeat = repeatOf(routeName, route);
  return {
    ...{ routeName, resource, name, route, answer },
    params: [...route.address.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param),
    ...(query && { query }),
    ...(body && { body: withoutNull(body) }),
    isInputOptional: body ? body !== withoutNull(body) : input !== undefined && mayBeEmpty(input),
    ...(items !== undefined && { items }),
    hasOffset: query?.properties?.offset !== undefined,
    ...(repeat && { repeat }),
    isByHand: routeName in writtenByHand,
  };
}

/** A deletion returns nothing: repeated after a lost answer, it would find nothing to return. */
function answerOf(route: Route): Method['answer'] {
  const success = Object.entries(route.responses)
    .map(([status, schema]): Response => ({ status: Number(status), schema: schema as Schema }))
    .find(({ status }) => status < 300);
  if (!success || 'content' in success.schema) return { kind: 'bytes' };
  const isNothing = success.schema.type === 'null' || route.address.startsWith('DELETE');
  return isNothing ? { kind: 'nothing' } : { kind: 'json', schema: success.schema };
}

/** The service stores every answer with status 201. */
function repeatOf(routeName: RouteName, { address, responses }: Route): Method['repeat'] {
  if (!address.startsWith('POST')) return undefined;
  if (201 in responses) return 'key';
  return routeName in repeatablePosts ? undefined : 'never';
}

const isList = (routeName: string): boolean => routeName.startsWith('list');

function itemsOf({ properties = {} }: Schema): string {
  const lists = Object.keys(properties).filter((field) => properties[field]?.type === 'array');
  if (lists.length !== 1) throw new Error(`a list with the fields ${Object.keys(properties)}`);
  return lists[0] ?? '';
}

function jsonOf(body: Route['body']): Schema | undefined {
  if (!body) return undefined;
  return 'content' in body ? (body.content['application/json']?.schema as Schema) : (body as Schema);
}

function withoutNull(schema: Schema): Schema {
  const rest = schema.anyOf?.filter(({ type }) => type !== 'null');
  return rest?.length === 1 && rest.length !== schema.anyOf?.length ? (rest[0] ?? schema) : schema;
}

const mayBeEmpty = ({ properties = {}, required = [] }: Schema): boolean =>
  required.every((name) => 'default' in (properties[name] ?? {}));
