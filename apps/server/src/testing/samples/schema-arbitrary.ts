import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';

export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  uniqueItems?: boolean;
  minItems?: number;
  minimum?: number;
  maximum?: number;
};

/** The schemas of one OpenAPI document: generates values that match them, and validates values. */
export function schemasOf(document: object) {
  const ajv = formats.default(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema({ ...document, $id: 'openapi.json' });

  /** The schema at a JSON pointer of the document. */
  function validator(...place: string[]): ValidateFunction {
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const reference = `openapi.json#/${pointer.join('/')}`;
    return ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  }

  function resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref
      .split('/')
      .slice(1)
      .reduce((value, part) => (value as Record<string, unknown>)[part] as object, document);
    return found as Schema;
  }

  /** Values include the document's examples: some have a form that random values never hit. */
  function valuesOf(reference: Schema, given?: unknown[]): Arbitrary<unknown> {
    const { examples = given, ...schema } = resolve(reference);
    if (!examples) return generatedOf(schema);
    return fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...examples) },
      { weight: 2, arbitrary: generatedOf(schema) },
    );
  }

  function generatedOf(schema: Schema): Arbitrary<unknown> {
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one)));
    switch (schema.type) {
      case 'object':
        return objectsOf(schema);
      case 'array':
        return (schema.uniqueItems ? fc.uniqueArray : fc.array)(valuesOf(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: 4,
        });
      case 'string':
        return stringsOf(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  function objectsOf({ properties = {}, required = [] }: Schema): Arbitrary<unknown> {
    const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valuesOf(member)]));
    return fc.record(members, { requiredKeys: required, noNullPrototype: true });
  }

  /** Patterns do not generate text: the matching ones of the samples and of random text are used. */
  function stringsOf(schema: Schema): Arbitrary<unknown> {
    const fits = ajv.compile(schema);
    const samples = goodText.filter((text) => fits(text));
    const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
    return fc.oneof(
      { weight: 3, arbitrary: samples.length > 0 ? fc.constantFrom(...samples) : anyText },
      { weight: 1, arbitrary: fits('x') ? anyText.filter((text) => fits(text)) : fc.constantFrom('', ...samples) },
    );
  }

  return { validator, valuesOf };
}

const goodText = [
  'x',
  'A name of some words',
  '🏛'.repeat(100),
  'straße',
  'main',
  'feature/one',
  'en',
  'pt-BR',
  'https://git.example.com/one.git',
  'http://pictures.example.com/a.png?b=c#d',
  '2035-01-02T03:04:05Z',
  '2035-01-02T03:04:05.678+09:00',
  'ada.lovelace',
];

export const badText = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '%00',
  "'; drop table projects; --",
  '../../etc/passwd',
  '..%2f..',
  '{{7*7}}',
  '<script>',
  '__proto__',
  'constructor',
  'NaN',
  '1e400',
  '-0',
  '0x10',
  '99999999999999999999',
  '9999-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  'x'.repeat(1_000),
];

const badValue = fc.oneof(
  fc.constantFrom<unknown>(...badText, null, true, -1, 0.1, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[[[]]]]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** The value with one part of it, at any depth, replaced, removed or added. */
export function mutated(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.tuple(values, fc.infiniteStream(fc.nat()), badValue, fc.string()).map(([value, choices, bad, name]) => {
    const next = () => (choices.next().value as number) ?? 0;
    return mutate(structuredClone(value), next, bad, name);
  });
}

function mutate(value: unknown, next: () => number, bad: unknown, name: string): unknown {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  const choice = next() % 4;
  const key = keys[next() % Math.max(1, keys.length)];
  if (key === undefined || choice === 0) return addTo(value, name, bad);
  const container = value as Record<string, unknown>;
  if (choice === 1) delete container[key];
  else container[key] = choice === 2 ? bad : mutate(container[key], next, bad, name);
  return container;
}

function addTo(value: unknown, name: string, bad: unknown): unknown {
  if (Array.isArray(value)) return [...value, bad];
  if (value === null || typeof value !== 'object') return bad;
  return { ...value, [name]: bad };
}
