import type { FieldError } from '@bottega/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { AppError, malformed } from './app-error.ts';
import { createValidators } from './validator.ts';

// What a schema compiles to depends on nothing else, so the apps of one process share it.
const options = { useDefaults: true, removeAdditional: false } as const;
const asSent = createValidators(options);
const coercing = createValidators({ ...options, coerceTypes: true });

/**
 * Bodies are taken as they are: nothing is stripped, nothing is turned into another type. Query values arrive as text,
 * so only they are coerced.
 */
export function registerValidation(app: FastifyInstance): void {
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
    (httpPart === 'body' ? asSent : coercing)(schema);
  app.setValidatorCompiler(compile);
}

const mostRows = 50;

/** Bad bodies are 422, except for a missing one; a bad query value is 400. */
export function validationError(errors: readonly unknown[], context: string | undefined, body: unknown): AppError {
  const rows = fieldErrors(errors as ErrorObject[]);
  if (context !== 'body') return malformed('A query value is not valid', rows);
  if (body === undefined) return malformed('The body is missing; it must be a JSON object', rows);
  const isObject = rows.every((row) => row.field !== '');
  const message = isObject ? 'The request is not valid' : 'The body must be a JSON object';
  return new AppError('VALIDATION_ERROR', message, { details: rows });
}

export function fieldErrors(errors: ErrorObject[]): FieldError[] {
  const rows = new Map<string, FieldError>();
  for (const error of errors) {
    // Each branch of a union complains, and then the union itself; the first complaint is the useful one.
    const field = fieldOf(error);
    if (error.keyword !== 'anyOf' && !rows.has(field)) rows.set(field, { field, message: messageOf(error) });
  }
  const fields = [...rows.keys()];
  const isAbove = (field: string, other: string) => (field === '' ? other !== '' : other.startsWith(`${field}.`));
  return [...rows.values()]
    .filter((row) => row.message !== 'must be null' || !fields.some((other) => isAbove(row.field, other)))
    .slice(0, mostRows);
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
    case 'pattern':
      return 'has characters or a form that are not allowed here';
    default:
      return error.message ?? 'is not valid';
  }
}
