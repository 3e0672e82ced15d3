import type { FastifySchema } from 'fastify';
import { type Json, withMemberNames } from './openapi-portable.ts';

export type Parameter = Json & { schema: Json; required?: boolean };
type Content = Record<string, { schema: Json & { anyOf?: Json[] }; example?: unknown; examples?: unknown }>;

/** What the OpenAPI document says about one route. */
export type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Json[];
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Content };
  servers?: Json[];
  'x-required-scopes'?: string[];
  responses: Record<string, Json>;
};

declare module 'fastify' {
  /** The texts that the contract adds to the schemas of a route. */
  interface FastifySchema {
    summary?: string;
    description?: string;
    tags?: readonly string[];
    /** Whether the document leaves the route out. */
    hide?: boolean;
  }
}

/** The description of most successful responses. They need none, but OpenAPI requires one. */
export const success = 'Success';

type ObjectSchema = { properties?: Record<string, Json>; required?: string[] };

export function operationOf(path: string, { summary, description, tags, ...schemas }: FastifySchema): Operation {
  const parameters = [
    ...parametersIn('query', schemas.querystring),
    ...parametersIn('path', schemas.params ?? namedIn(path)),
    ...parametersIn('header', schemas.headers),
  ];
  return {
    ...(summary && { summary }),
    ...(tags && { tags: [...tags] }),
    ...(description && { description }),
    ...(schemas.body !== undefined && { requestBody: requestBodyOf(withMemberNames(schemas.body) as Json) }),
    ...(parameters.length > 0 && { parameters }),
    responses: responsesOf(withMemberNames(schemas.response ?? {}) as Record<string, Json>),
  };
}

/** The parameters in a path, for a route that defines no schema for them. They can be any text. */
const namedIn = (path: string): ObjectSchema => ({
  properties: Object.fromEntries(
    Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, { type: 'string' }]),
  ),
});

function parametersIn(place: 'query' | 'path' | 'header', given: unknown): Parameter[] {
  const { properties = {}, required = [] } = (given ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    schema,
    ...namedExamples(examples),
    in: place,
    name,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
  }));
}

/** In OpenAPI, the examples of a parameter are next to its schema and not in it. Several examples need names. */
function namedExamples(examples: unknown): Json {
  if (!Array.isArray(examples)) return {};
  if (examples.length === 1) return { example: examples[0] };
  return { examples: Object.fromEntries(examples.map((value) => [String(value), { value }])) };
}

function requestBodyOf(body: Json): NonNullable<Operation['requestBody']> {
  if (body.content) return { required: true, content: body.content as Content };
  const { description } = body;
  return {
    required: true,
    ...(typeof description === 'string' && { description }),
    content: { 'application/json': { schema: body } },
  };
}

/** A response of the type null has no content. */
function responsesOf(responses: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...schema }]) => [
      status,
      {
        description: schema.description ?? success,
        ...(schema.type !== 'null' && { content: content ?? { 'application/json': { schema } } }),
      },
    ]),
  );
}
