import type { FieldError } from '@bottega/contract';
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { AppError } from './app-error.ts';
import { fieldErrors } from './validation.ts';

/**
 * What a schema cannot say of the fields of a body, by field. A check refuses by `invalid`. It is asked only where the
 * field is there and its schema has nothing against it, so it may rely on its type, and on that of no other field.
 */
export type FieldChecks<Input> = {
  readonly [Field in keyof Input]?: (value: NonNullable<Input[Field]>) => unknown;
};

/** Every problem in one refusal: whoever mends a request should not find them one by one. */
export async function checkFields<Input extends object>(input: Input, checks: FieldChecks<Input>): Promise<void> {
  const problems = await problemsOf(input, checks as AnyChecks, []);
  if (problems.length > 0) throw refusal(problems);
}

/** Beside what the schema has against other fields of the body. The service itself asks where that is nothing. */
export function checksWithSchema<Request extends FastifyRequest>(
  checksOf: (request: Request) => AnyChecks,
): preHandlerAsyncHookHandler {
  return async (request) => {
    const failed = request.validationError;
    if (!failed) return;
    const { body } = request;
    const known = failed.validationContext === 'body' ? fieldErrors(failed.validation as never) : [];
    if (known.length === 0 || known.some(({ field }) => field === '')) throw failed;
    throw refusal([...known, ...(await problemsOf(body as object, checksOf(request as Request), known))]);
  };
}

type AnyChecks = Readonly<Record<string, ((value: never) => unknown) | undefined>>;

async function problemsOf(input: object, checks: AnyChecks, known: FieldError[]): Promise<FieldError[]> {
  const problems: FieldError[] = [];
  for (const [field, check] of Object.entries(checks)) {
    const value = (input as Record<string, unknown>)[field];
    const isRefused = known.some((row) => row.field === field || row.field.startsWith(`${field}.`));
    if (value === undefined || value === null || isRefused) continue;
    try {
      await check?.(value as never);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isInvalid(error)) problems.push(...error.details);
      // That they may not do this at all is another answer, and the only one where nothing is wrong with the body.
      else if (known.length === 0) throw error;
    }
  }
  return problems;
}

/** All of it, or everything that is wrong with any part. */
export async function gather<Parts extends readonly Promise<unknown>[]>(
  parts: readonly [...Parts],
): Promise<{ -readonly [Part in keyof Parts]: Awaited<Parts[Part]> }> {
  const ends = await Promise.allSettled(parts);
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const other = errors.find((error) => !isInvalid(error));
  if (other) throw other;
  if (errors.length > 0) throw refusal(errors.flatMap((error) => (error as Invalid).details));
  return ends.map((end) => end.status === 'fulfilled' && end.value) as never;
}

type Invalid = AppError & { details: FieldError[] };
const isInvalid = (error: unknown): error is Invalid =>
  error instanceof AppError && error.status === 422 && Array.isArray(error.details) && error.details.length > 0;

const refusal = (details: FieldError[]): AppError =>
  new AppError('VALIDATION_ERROR', 'The request is not valid', { details });
