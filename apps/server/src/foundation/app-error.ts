import { type ErrorCode, errorCodes, type FieldError } from '@bottega/contract';

export type ErrorDetails = FieldError[] | Record<string, unknown>;

type Options = {
  status?: number;
  details?: ErrorDetails;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** A refusal whose message is for the client. Any other error that is thrown becomes a 500 without a message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errorCodes[code];
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

export const notFound = (what: string): AppError => new AppError('NOT_FOUND', `${what} not found`);

export const forbidden = (message: string): AppError => new AppError('AUTHORIZATION_ERROR', message);

export const conflict = (message: string): AppError => new AppError('CONFLICT', message);

/** A 422 with one row per field: the request is well-formed, but a value is not acceptable. */
export const invalid = (field: string, message: string): AppError =>
  new AppError('VALIDATION_ERROR', 'The request is not valid', { details: [{ field, message }] });

/** A 400: the request is not well-formed. */
export const malformed = (message: string, details: FieldError[] = []): AppError =>
  new AppError('VALIDATION_ERROR', message, { status: 400, details });

export const unauthenticated = (message: string): AppError =>
  new AppError('AUTHENTICATION_ERROR', message, { headers: { 'www-authenticate': 'Bearer realm="bottega"' } });

export const unavailable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable; try again in a moment', {
    headers: { 'retry-after': '2' },
    cause,
  });
