type Json = Record<string, unknown>;

/**
 * Patterns as Python, Go and Java read them too: they know neither Unicode's categories nor `\u`, at least not by these
 * names. Half of a surrogate pair, which only JSON's escapes can write, is left to the service.
 */
export function portablePattern(pattern: string): string | null {
  const portable = pattern
    .replaceAll(String.raw`\p{Cs}`, '')
    .replaceAll(/\\p\{Cc?\}/g, String.raw`\x00-\x1F\x7F-\x9F`)
    .replaceAll(/\\u00([0-9A-Fa-f]{2})/g, String.raw`\x$1`);
  // Nothing is left to be refused.
  return portable.includes('[^]') ? null : portable;
}

export function withPortablePatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPortablePatterns);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (key === 'pattern' && typeof item === 'string') return [key, portablePattern(item)];
    return [key, withPortablePatterns(item)];
  });
  return Object.fromEntries(entries.filter(([key, item]) => key !== 'pattern' || item !== null));
}

/** Of a record, @fastify/swagger keeps what its members hold and forgets how they may be named. */
export function withMemberNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMemberNames);
  if (value === null || typeof value !== 'object') return value;
  const { patternProperties, ...rest } = value as Json;
  const kept = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withMemberNames(item)]));
  const [named] = Object.entries(patternProperties ?? {});
  return named ? { ...kept, propertyNames: { pattern: named[0] }, additionalProperties: named[1] } : kept;
}

type Schema = Json & {
  examples?: unknown[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

/** A body that the schema takes: its own example, else one made of what its fields say. */
export function exampleOf(schema: Schema): unknown {
  const { examples, anyOf, properties, required = [], items } = schema;
  if (examples) return examples[0];
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf) return exampleOf(anyOf.find(({ type }) => type !== 'null') ?? {});
  if (properties) return exampleOfObject(properties, required);
  if (items) return schema.minItems ? [exampleOf(items)] : [];
  return plainExamples[String(schema.format ?? schema.type)] ?? null;
}

/** What is required, and what has an example of its own. Of what is only ever sent back there is nothing to show. */
function exampleOfObject(properties: Record<string, Schema>, required: string[]): Json {
  const shown = Object.entries(properties).filter(
    ([name, one]) => required.includes(name) || (one.readOnly !== true && ('examples' in one || 'default' in one)),
  );
  return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(one)]));
}

const plainExamples: Record<string, unknown> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
  'date-time': '2030-01-02T03:04:05.000Z',
  uri: 'https://example.com/',
};
