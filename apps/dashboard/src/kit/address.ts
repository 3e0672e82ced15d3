/** Reads what an address says. Whatever is not a value of its kind counts as not said. */
export const pageIn = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined;

export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;

export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

export const oneOf = <const Value>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((allowed) => allowed === value);
