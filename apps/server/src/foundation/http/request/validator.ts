import { textRules } from '@bottega/contract';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import formats from 'ajv-formats';
import { onFirstUse } from './first-use.ts';

export type Validator<Value> = {
  (value: unknown): value is Value;
  /** Errors of the last refused value. */
  errors?: ErrorObject[] | null;
};

/**
 * Maximum number of values in a body for which all errors are reported. For a body with more values, only the first
 * error is reported.
 */
const maxValues = 5000;

/**
 * Creates validators that report all errors of a small body. A body of a megabyte could have half a million errors and
 * take seconds. So the first check stops at the first error, and only small bodies are then checked completely. The
 * second validator is created at the first error.
 */
export function createValidators(options: Options = {}): <Value>(schema: object) => Validator<Value> {
  const settings: Options = { strict: false, verbose: true, ...options };
  const untilFirst = withRules(new Ajv({ ...settings, allErrors: false }));
  const forAll = withRules(new Ajv({ ...settings, allErrors: true }));
  const made = new WeakMap<object, unknown>();
  return <Value>(schema: object) => {
    // A route has several addresses, which share its schemas.
    const known = made.get(schema) as Validator<Value> | undefined;
    if (known) return known;
    const quick = onFirstUse(() => untilFirst.compile<Value>(schema));
    const validate: Validator<Value> = (value): value is Value => {
      const check = quick();
      if (check(value)) return true;
      validate.errors = check.errors ?? [];
      if (isSmall(value)) {
        const thorough = forAll.compile<Value>(schema);
        thorough(value);
        validate.errors = thorough.errors ?? validate.errors;
      }
      return false;
    };
    made.set(schema, validate);
    return validate;
  };
}

/**
 * Adds the formats of JSON Schema and the rules of the contract. `verbose` errors contain the value, from which the
 * rule derives its message.
 */
function withRules(ajv: Ajv): Ajv {
  formats.default(ajv);
  for (const [name, rule] of Object.entries(textRules)) ajv.addFormat(name, (text: string) => rule(text) === null);
  const isTime = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  // A leap second is a valid time for the format, but a Date cannot represent it.
  const isKnownTime = (text: string) => isTime.validate(text) && !Number.isNaN(Date.parse(text));
  return ajv.addFormat('date-time', isKnownTime);
}

/** Whether a value is small. The check stops counting as early as possible. */
function isSmall(value: unknown): boolean {
  const stack = [value];
  let seen = 0;
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (++seen > maxValues) return false;
      stack.push((next as Record<string, unknown>)[key]);
    }
  }
  return true;
}
