import { textRules } from '@bottega/contract';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

export type Validator<Value> = {
  (value: unknown): value is Value;
  /** Of the last value that was refused. */
  errors?: ErrorObject[] | null;
};

/** Values in it that a body may have to be told all that is wrong with it; of a larger one, the first mistake is told. */
const mostValues = 5000;

/**
 * Every mistake of a body is told, but a megabyte of mistakes is half a million errors and seconds of work. So a look
 * ends at the first one, and only what is small is looked through again. Both validators are made when they are first
 * needed: those of all routes would be a good part of the time that a start takes.
 */
export function createValidators(options: Options = {}): <Value>(schema: object) => Validator<Value> {
  const settings: Options = { strict: false, verbose: true, ...options };
  const untilFirst = withRules(new Ajv({ ...settings, allErrors: false }));
  const forAll = withRules(new Ajv({ ...settings, allErrors: true }));
  return <Value>(schema: object) => {
    let quick: ValidateFunction<Value> | undefined;
    let thorough: ValidateFunction<Value> | undefined;
    const validate: Validator<Value> = (value): value is Value => {
      quick ??= untilFirst.compile<Value>(schema);
      if (quick(value)) return true;
      validate.errors = quick.errors ?? [];
      if (isSmall(value)) {
        thorough ??= forAll.compile<Value>(schema);
        thorough(value);
        validate.errors = thorough.errors ?? validate.errors;
      }
      return false;
    };
    return validate;
  };
}

/** The formats of JSON Schema and the rules of the contract. `verbose` errors carry the value, which a rule explains. */
function withRules(ajv: Ajv): Ajv {
  formats.default(ajv);
  for (const [name, rule] of Object.entries(textRules)) ajv.addFormat(name, (text: string) => rule(text) === null);
  const isTime = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  // A leap second has the form of a time, and no Date can hold it.
  const isKnownTime = (text: string) => isTime.validate(text) && !Number.isNaN(Date.parse(text));
  return ajv.addFormat('date-time', isKnownTime);
}

/** Counts no further than it has to. */
function isSmall(value: unknown): boolean {
  const stack = [value];
  let seen = 0;
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (++seen > mostValues) return false;
      stack.push((next as Record<string, unknown>)[key]);
    }
  }
  return true;
}
