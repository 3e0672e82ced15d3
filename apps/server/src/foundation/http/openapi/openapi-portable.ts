import { textRules } from '@bottega/contract';

export type Json = Record<string, unknown>;

/**
 * Rewrites a pattern so that Python, Go and Java can read it. These languages do not support `\u` and Unicode
 * categories, or write them differently. The check for lone surrogates, which only JSON escapes can express, is left
 * out, because the service does it anyway. Null if no useful pattern remains.
 */
export function portablePattern(pattern: string): string | null {
  const portable = pattern
    .replaceAll('\\p{Cs}', '')
    .replaceAll(/\\p\{Cc?\}/g, String.raw`\x00-\x1F\x7F-\x9F`)
    .replaceAll(/\\u00([0-9A-Fa-f]{2})/g, String.raw`\x$1`);
  // A pattern with `[^]` would not refuse anything any more.
  return portable.includes('[^]') ? null : portable;
}

export function withPortablePatterns(value: unknown): unknown {
  return mapMembers(value, (key, item) => (key === 'pattern' ? portablePattern(item) : item));
}

/** Turns a constant into an enum with one value, which all client generators support. */
export function withEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withEnums);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) =>
    key === 'const' ? ['enum', [item]] : [key, withEnums(item)],
  );
  return Object.fromEntries(entries);
}

/**
 * Removes the contract's own formats. Only this service knows them, and many validators refuse or report unknown
 * formats.
 */
export function withoutOwnFormats(value: unknown): unknown {
  return mapMembers(value, (key, item) => (key === 'format' && Object.hasOwn(textRules, item) ? null : item));
}

/** Copies a value and replaces every text in it. If the replacement of a text is null, the text is left out. */
function mapMembers(value: unknown, replace: (key: string, text: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => mapMembers(item, replace));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const mapped = typeof item === 'string' ? replace(key, item) : mapMembers(item, replace);
    return typeof item === 'string' && mapped === null ? [] : [[key, mapped]];
  });
  return Object.fromEntries(entries);
}

/**
 * `withMemberNames` rewrites a record into the form that client generators understand: a pattern for the names of the
 * members, unless it matches any name, and a schema for their values.
 */
const anyName = '^.*$';

export function withMemberNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMemberNames);
  if (value === null || typeof value !== 'object') return value;
  const { patternProperties, ...rest } = value as Json;
  const kept = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withMemberNames(item)]));
  const [named] = Object.entries(patternProperties ?? {});
  if (!named) return kept;
  const [pattern, additionalProperties] = named;
  return { ...kept, ...(pattern !== anyName && { propertyNames: { pattern } }), additionalProperties };
}

type Schema = Json & {
  examples?: unknown[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

/** Returns a valid body: the schema's own example, or one built from the examples of its fields. */
export function exampleOf(schema: Schema): unknown {
  const { examples, anyOf, properties, required = [], items } = schema;
  if (examples) return examples[0];
  if ('default' in schema) return schema.default;
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf) return exampleOf(anyOf.find(({ type }) => type !== 'null') ?? {});
  if (properties) return exampleOfObject(properties, required);
  if (items) return schema.minItems ? [exampleOf(items)] : [];
  return plainExamples[String(schema.format)] ?? plainExamples[String(schema.type)] ?? null;
}

/** Includes required fields, and optional ones with an example unless they are read-only. */
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
