import type { ErrorCode } from './generated/types.ts';

export type FieldError = { field: string; message: string };

/** Errors without an error code from the service. */
export type ClientErrorCode =
  /** The caller's signal ended the call. */
  | 'ABORTED'
  /** An attempt took longer than its timeout. */
  | 'TIMEOUT'
  /** There was no connection, or it broke. */
  | 'CONNECTION_ERROR'
  /** The response is not from this API, but from a proxy or another server. */
  | 'UNEXPECTED_ANSWER'
  /** A webhook delivery is not from the service, or is too old. */
  | 'INVALID_SIGNATURE';

type Told = {
  code: ErrorCode | ClientErrorCode;
  status?: number | undefined;
  details?: unknown;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
};

/** Every failure of a call. */
export class BottegaError extends Error {
  override readonly name = 'BottegaError';
  readonly code: ErrorCode | ClientErrorCode;
  /** The status of the response. Undefined if there was none. */
  readonly status: number | undefined;
  /** The details as the service sent them: a list of fields, or an object, as with a 429. */
  readonly details: unknown;
  /** The refused fields. */
  readonly fields: readonly FieldError[];
  /** The id of the request. The operator can find the request in the log by this id. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, according to the service. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, details, requestId, retryAfter, cause }: Told) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.fields = fieldsOf(details);
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns the refused fields. `details` is a list of fields or, for live sessions, an object that contains the list.
 */
function fieldsOf(details: unknown): FieldError[] {
  if (Array.isArray(details)) return details;
  const fields = (details as { fields?: unknown } | null | undefined)?.fields;
  return Array.isArray(fields) ? fields : [];
}

/** The error that a response describes. */
export function errorOfAnswer(answer: Response, text: string, now = Date.now()): BottegaError {
  const told = readBody(text);
  const common = {
    status: answer.status,
    requestId: told?.request_id ?? answer.headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(answer.headers.get('retry-after'), now),
  };
  if (!told) {
    return new BottegaError(`${answer.url} responded with ${answer.status}, but not with a response of this API`, {
      ...common,
      code: 'UNEXPECTED_ANSWER',
      details: text.slice(0, 1000),
    });
  }
  const rows = fieldsOf(told.details).map(({ field, message }) => `${field} ${message}`);
  const message = rows.length > 0 ? `${told.message}: ${rows.join('; ')}` : told.message;
  return new BottegaError(message, { ...common, code: told.code, details: told.details });
}

type Body = { code: ErrorCode; message: string; details?: unknown; request_id?: string };

function readBody(text: string): Body | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: Body };
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
