import fc, { type Arbitrary } from 'fast-check';
import { badText, mutated, type Schema, type schemasOf } from '../samples/schema-arbitrary.ts';

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };
type Described = {
  operationId: string;
  security?: { bearer?: string[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};
export type OpenApi = { paths: Record<string, Record<string, Described>> };

export type Operation = Described & { method: string; path: string };

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, method, path })),
  );
}

/** An id that is looked up when the request is sent, or literal text of the URL. */
type PathValue = { known: number } | { text: string };

export type GeneratedRequest = {
  credential: 'good' | 'none' | 'bad';
  path: Record<string, PathValue>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: string | undefined;
};

/** Requests of one operation: most parts are valid by the document, some are not. */
export function requestsOf(operation: Operation, schemas: ReturnType<typeof schemasOf>): Arbitrary<GeneratedRequest> {
  const parameters = operation.parameters ?? [];
  const inPlace = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const body = operation.requestBody?.content['application/json'];
  const examples = body?.example === undefined ? undefined : [body.example];
  return fc.record({
    credential: fc.oneof(
      { weight: 18, arbitrary: fc.constant<GeneratedRequest['credential']>('good') },
      { weight: 1, arbitrary: fc.constantFrom<GeneratedRequest['credential']>('none', 'bad') },
    ),
    path: fc.record(Object.fromEntries(inPlace('path').map(({ name }) => [name, pathValues]))),
    query: queriesOf(inPlace('query'), schemas),
    headers: headersOf(inPlace('header'), schemas),
    body: body ? bodiesOf(schemas.valuesOf(body.schema, examples)) : fc.constant(undefined),
  });
}

const pathValues: Arbitrary<PathValue> = fc.oneof(
  { weight: 6, arbitrary: fc.nat().map((known) => ({ known })) },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.constantFrom(...badText), fc.string({ unit: 'grapheme' })).map((text) => ({
      text: encoded(text),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('%', '%zz', '%ff', '%ed%a0%80', '..', '../..', './', '%2e%2e', 'a/b', ';')
      .map((text) => ({ text })),
  },
);

/** Percent-encodes the bytes; half a surrogate pair, which has none, becomes the replacement character. */
const encoded = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^a-z0-9_-]/gi, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

function queriesOf(parameters: Parameter[], schemas: ReturnType<typeof schemasOf>): Arbitrary<[string, string][]> {
  const bad = fc.tuple(
    fc.constantFrom(...parameters.map(({ name }) => name), '__proto__', 'other'),
    fc.constantFrom(...badText, '%', '%ff').map((value) => (value.startsWith('%') ? value : encoded(value))),
  );
  const good = parameters.map(({ name, schema }) =>
    schemas.valuesOf(schema).map((value): [string, string] => [name, encoded(String(value))]),
  );
  const some = good.length > 0 ? fc.array(fc.oneof(...good), { maxLength: 4 }) : fc.constant([]);
  const unique = some.map((pairs) => [...new Map(pairs).entries()]);
  return fc.oneof(
    { weight: 3, arbitrary: unique },
    { weight: 1, arbitrary: fc.tuple(some, fc.array(bad, { maxLength: 2 })).map(([one, other]) => [...one, ...other]) },
  );
}

function headersOf(parameters: Parameter[], schemas: ReturnType<typeof schemasOf>): Arbitrary<Record<string, string>> {
  // A client can send nothing else.
  const isSendable = (value: string) => /^[\t\x20-\x7e\x80-\xff]{0,1000}$/.test(value);
  const headers = parameters.map(({ name, schema }) => {
    const values = fc.oneof(schemas.valuesOf(schema).map(String), fc.constantFrom(...badText), fc.uuid());
    return values.map((value) => (isSendable(value) ? { [name]: value } : {}));
  });
  return fc.tuple(...headers).map((each) => Object.assign({}, ...each));
}

function bodiesOf(values: Arbitrary<unknown>): Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 6, arbitrary: values.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: mutated(values).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('{', '[]', '{"a":1e999}', '\0')) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}
