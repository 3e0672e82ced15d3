/** Reads a search parameter. An invalid value counts as absent. */
type Reader = (value: unknown) => unknown;

/** Reads the search parameters of a URL, each with the reader for its name. */
export const searchOf =
  <const Readers extends Record<string, Reader>>(readers: Readers) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(search[name])])) as {
      [Name in keyof Readers]?: ReturnType<Readers[Name]>;
    };

export const stringIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const textIn = (value: unknown): string | undefined => stringIn(value)?.slice(0, 200) || undefined;

/** The router parses values that look like numbers as numbers. */
export const tokenIn = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : stringIn(value);

export const integerIn = (value: unknown): number | undefined => (Number.isInteger(value) ? Number(value) : undefined);

export const pageIn = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined;

export const trueIn = (value: unknown): true | undefined => value === true || undefined;

export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

export const oneOf =
  <const Value>(...values: Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((allowed) => allowed === value);
