import type { ErrorCode } from './generated/types.ts';

export type FieldError = { field: string; message: string };

/** What goes wrong on the way, where there is no answer of the service with a code of its own. */
export type ClientErrorCode =
  /** The caller's signal ended it. */
  | 'ABORTED'
  /** An attempt took longer than its timeout. */
  | 'TIMEOUT'
  /** No connection, or one that broke. */
  | 'CONNECTION_ERROR'
  /** An answer that is not of this API: that of a proxy, or of another address. */
  | 'UNEXPECTED_ANSWER'
  /** A delivery of a webhook that is not from the service, or too old. */
  | 'INVALID_SIGNATURE';

type Told = {
  code: ErrorCode | ClientErrorCode;
  status?: number | undefined;
  details?: unknown;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
};

/** Whatever goes wrong with a call. */
export class BottegaError extends Error {
  override readonly name = 'BottegaError';
  readonly code: ErrorCode | ClientErrorCode;
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  /** As the service sent them: rows of fields, or an object such as that of a 429. */
  readonly details: unknown;
  /** What the service refuses, field by field. */
  readonly fields: readonly FieldError[];
  /** To be given to the operator: it finds the request in the log. */
  readonly requestId: string | undefined;
  /** Seconds after which the service wants to be asked again. */
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

/** Rows, or the rows of an object as live sessions have them. */
function fieldsOf(details: unknown): FieldError[] {
  if (Array.isArray(details)) return details;
  const fields = (details as { fields?: unknown } | null | undefined)?.fields;
  return Array.isArray(fields) ? fields : [];
}

/** The error that an answer tells of. */
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
