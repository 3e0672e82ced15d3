import { type FieldError, textRules } from '@bottega/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { AppError, malformed } from '../../app-error.ts';
import { queryValidator } from './query-values.ts';
import { createValidators } from './validator.ts';

// A compiled validator depends only on its schema, so the apps of one process share it.
const options = { useDefaults: true, removeAdditional: false } as const;
const asSent = createValidators(options);
const coercing = createValidators({ ...options, coerceTypes: true });

/**
 * Registers validation. Nothing in a body is removed or converted. Other values, such as those of the query, arrive as
 * text and are converted.
 */
export function registerValidation(app: FastifyInstance): void {
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart, method }) => {
    if (httpPart === 'body') return asSent(schema);
    if (httpPart !== 'querystring') return coercing(schema);
    return queryValidator(schema, coercing(schema), { emptyIsAbsent: method === 'GET' || method === 'HEAD' });
  };
  app.setValidatorCompiler(compile);
}

const maxRows = 50;

/** A bad body is a 422, a missing body or a bad query value a 400. */
export function validationError(errors: readonly unknown[], context: string | undefined, body: unknown): AppError {
  const rows = fieldErrors(errors as ErrorObject[]);
  if (context !== 'body') return malformed('A query value is not valid', rows);
  if (body === undefined) return malformed('The body is missing; it must be a JSON object', rows);
  const isObject = rows.every((row) => row.field !== '');
  const message = isObject ? 'The request is not valid' : 'The body must be a JSON object';
  return new AppError('VALIDATION_ERROR', message, { details: rows });
}

export function fieldErrors(errors: ErrorObject[]): FieldError[] {
  return firstOfFields(errors)
    .slice(0, maxRows)
    .map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
}

/**
 * Reduces the errors to one per field. For a union, each branch reports an error, and so does the union itself. The
 * first error of a field is the useful one.
 */
function firstOfFields(errors: ErrorObject[]): ErrorObject[] {
  const first = new Map<string, ErrorObject>();
  for (const error of errors) {
    const field = fieldOf(error);
    if (error.keyword !== 'anyOf' && !first.has(field)) first.set(field, error);
  }
  const fields = [...first.keys()];
  const isAbove = (field: string, other: string) => (field === '' ? other !== '' : other.startsWith(`${field}.`));
  return [...first.values()].filter(
    (error) => error.message !== 'must be null' || !fields.some((other) => isAbove(fieldOf(error), other)),
  );
}

/**
 * Kinds of errors that leave the type intact: the value, and so the whole field, still has the type that its schema
 * declares.
 */
const keepsType = new Set([
  'additionalProperties',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'uniqueItems',
]);

/** Fields of a body whose values are not reliable: they were refused, or do not have the type in their schema. */
export function unsoundFields(errors: ErrorObject[]): Set<string> {
  const unsound = firstOfFields(errors).filter(
    (error) => !keepsType.has(error.keyword) || !fieldOf(error).includes('.'),
  );
  return new Set(unsound.map((error) => fieldOf(error).split('.', 1)[0] ?? ''));
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty).slice(0, 200));
  return path.join('.');
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'format':
      return ruleOf(error.params.format)?.(String(error.data)) ?? error.message ?? 'is not valid';
    case 'pattern':
      return 'does not match the required format';
    default:
      return error.message ?? 'is not valid';
  }
}

const ruleOf = (format: string) =>
  Object.hasOwn(textRules, format) ? textRules[format as keyof typeof textRules] : null;
