import type { Validator } from './validator.ts';

/** Clients write booleans as their languages do: Python's `requests` sends `True`, others send `1`. */
const booleans: Readonly<Record<string, boolean>> = { True: true, '1': true, False: false, '0': false };

type Options = {
  /**
   * Whether an empty value counts as absent. Forms and scripts send an empty value for a filter that is not set. For
   * requests that change something, this is off, because without a filter they might affect more than intended.
   */
  emptyIsAbsent: boolean;
};

/** Returns a validator that first converts query values to what clients mean by them, and then checks the schema. */
export function queryValidator(schema: object, validate: Validator<unknown>, { emptyIsAbsent }: Options) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const flags = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean');
  const read: Validator<unknown> = (value): value is unknown => {
    const query = value as Record<string, unknown>;
    for (const name of flags) {
      const flag = booleans[String(query[name])];
      if (flag !== undefined) query[name] = flag;
    }
    if (emptyIsAbsent) {
      for (const name of Object.keys(properties)) if (query[name] === '') delete query[name];
    }
    const isValid = validate(query);
    read.errors = validate.errors ?? null;
    return isValid;
  };
  return read;
}
