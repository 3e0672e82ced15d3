/** The part of JSON Schema that the contract uses. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
};

/** Largest value as JSON: nearly a whole body of a mebibyte. */
const maxCharacters = 1_000_000;
/** Sizes for schemas without a limit. */
const [manyItems, manyCharacters] = [20_000, 900_000];

/** The largest values that a schema allows: the longest texts, and the most items. */
export function largestOf(schema: Schema, room = maxCharacters): unknown[] {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return [schema.enum.at(-1)];
  const parts = schema.anyOf ?? schema.allOf;
  if (parts) return parts.flatMap((part) => largestOf(part, room));
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return [longestText(schema, room)];
  if (types.includes('array')) return largestLists(schema, room);
  if (types.includes('object')) return [largestObject(schema, room)];
  if (types.includes('integer') || types.includes('number')) return [schema.maximum ?? Number.MAX_SAFE_INTEGER];
  return types.includes('boolean') ? [true] : [null];
}

/** One more than the schema allows; empty if it sets no limit. */
export function beyond(schema: Schema): unknown[] {
  const { maxLength, maxItems, maximum, items } = schema;
  if (maximum !== undefined) return [maximum + 1];
  if (maxLength !== undefined && maxLength < maxCharacters) return ['a'.repeat(maxLength + 1)];
  if (maxItems === undefined || !items || maxItems > manyItems) return [];
  return [Array.from({ length: maxItems + 1 }, (_, index) => numbered(shortOf(items), index))];
}

/** Nearly uniform text: the worst case of most searches. */
function longestText({ maxLength = manyCharacters, format, pattern }: Schema, room: number): string {
  const length = Math.max(1, Math.min(maxLength, room));
  if (format === 'file-path' || pattern?.startsWith('^/')) return `/${'a'.repeat(200)}`.repeat(length).slice(0, length);
  if (format === 'uri') return `https://example.com/${'a'.repeat(length)}`.slice(0, length);
  if (format === 'email') return `${'a'.repeat(length)}@example.com`.slice(-length);
  if (format === 'date-time') return '9999-12-31T23:59:59.999Z';
  return 'a'.repeat(length);
}

function largestLists({ items = {}, maxItems = manyItems }: Schema, room: number): unknown[][] {
  const short = shortOf(items);
  const max = Math.min(maxItems, Math.floor(room / (JSON.stringify(short).length + 8)));
  const share = Math.floor(room / Math.min(maxItems, 50));
  const [long] = largestOf(items, share);
  return [
    Array.from({ length: max }, (_, index) => numbered(short, index)),
    Array.from({ length: Math.min(maxItems, 50) }, (_, index) => numbered(long, index)),
  ];
}

function largestObject(schema: Schema, room: number): Record<string, unknown> {
  const { properties = {}, additionalProperties, patternProperties } = schema;
  const names = Object.keys(properties);
  const share = Math.floor(room / Math.max(1, names.length));
  const own = Object.fromEntries(names.map((name) => [name, largestOf(properties[name] ?? {}, share)[0]]));
  const [ofOthers = typeof additionalProperties === 'object' ? additionalProperties : undefined] = Object.values(
    patternProperties ?? {},
  );
  if (names.length > 0 || !ofOthers) return own;
  const value = shortOf(ofOthers);
  const max = Math.min(schema.maxProperties ?? manyItems, Math.floor(room / (JSON.stringify(value).length + 16)));
  return Object.fromEntries(Array.from({ length: max }, (_, index) => [`A${index}`, value]));
}

const shortOf = (schema: Schema): unknown => largestOf(schema, 12)[0];

/** Makes items distinct, for lists that must not repeat any. */
const numbered = (value: unknown, index: number): unknown =>
  typeof value === 'string' && value.length > 8 ? `${value.slice(0, -6)}${String(index).padStart(6, '0')}` : value;
