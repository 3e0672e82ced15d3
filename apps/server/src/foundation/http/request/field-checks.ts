import type { FieldError } from '@bottega/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Trx } from '../../db/index.ts';
import { fieldErrors, unsoundFields } from './validation.ts';

/**
 * Checks of body fields that a schema cannot express, because they depend on the installation, the database or another
 * field. A check throws `invalid` to reject a value. A check is called only if its field is present and has the type
 * that the schema requires. The second argument contains all fields of which the same is true.
 */
export type FieldChecks<Input> = {
  readonly [Field in keyof Input]?: (value: NonNullable<Input[Field]>, others: Partial<Input>) => unknown;
};

/** Runs a check's query in the transaction that the caller has started, or else in a separate transaction. */
export type InTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;

/** Runs all checks. A refusal lists all problems, so that a client does not find them one by one. */
export async function checkFields<Input extends object>(input: Input, checks: FieldChecks<Input>): Promise<void> {
  const problems = await problemsOf(input, checks as AnyChecks, { isRefused: false });
  if (problems.length > 0) throw refusal(problems);
}

/**
 * Returns a hook for bodies that the schema rejects. It also runs the checks of the route, so that one response lists
 * all problems. For other bodies, the service functions call the same checks in their transaction, with `checkFields`.
 */
export function checksWithSchema<Request extends FastifyRequest>(
  checksOf: (request: Request) => AnyChecks,
): preHandlerAsyncHookHandler {
  return async (request) => {
    const failed = request.validationError;
    if (!failed) return;
    const errors = failed.validation as unknown as ErrorObject[];
    const known = failed.validationContext === 'body' ? fieldErrors(errors) : [];
    if (known.length === 0 || known.some(({ field }) => field === '')) throw failed;
    const unsound = unsoundFields(errors);
    const sound = Object.entries(request.body as object).filter(([field]) => !unsound.has(field));
    const problems = await problemsOf(Object.fromEntries(sound), checksOf(request as Request), { isRefused: true });
    throw refusal([...known, ...problems.filter(({ field }) => !known.some((row) => row.field === field))]);
  };
}

type AnyChecks = Readonly<Record<string, ((value: never, others: never) => unknown) | undefined>>;

async function problemsOf(input: object, checks: AnyChecks, { isRefused }: { isRefused: boolean }) {
  const problems: FieldError[] = [];
  for (const [field, check] of Object.entries(checks)) {
    const value = (input as Record<string, unknown>)[field];
    if (value === undefined || value === null) continue;
    try {
      await check?.(value as never, input as never);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isInvalid(error)) problems.push(...error.details);
      // Any other refusal, such as a missing permission, causes a different response, but only if the schema accepts
      // the body.
      else if (!isRefused) throw error;
    }
  }
  return problems;
}

/** Waits for all parts. Returns their results, or throws one refusal with the problems of all parts. */
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

/** Calls the check for every item. The refusal lists each item that fails. */
export async function checkEach<Item>(
  items: Iterable<Item>,
  check: (item: Item, index: number) => unknown,
): Promise<void> {
  await gather([...items].map(async (item, index) => check(item, index)));
}

type Invalid = AppError & { details: FieldError[] };
const isInvalid = (error: unknown): error is Invalid =>
  error instanceof AppError && error.status === 422 && Array.isArray(error.details) && error.details.length > 0;

const maxRows = 50;
const refusal = (details: FieldError[]): AppError =>
  new AppError('VALIDATION_ERROR', 'The request is not valid', { details: details.slice(0, maxRows) });
