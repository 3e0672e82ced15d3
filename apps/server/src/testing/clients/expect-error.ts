import type { ErrorCode } from '@bottega/contract';
import { expect } from 'vitest';
import type { Answer } from './http-client.ts';

type Refusal = { status: number; code: ErrorCode; field?: string };

/** The most frequent refusals. */
export const missing = { status: 404, code: 'NOT_FOUND' } as const satisfies Refusal;
export const refused = { status: 403, code: 'AUTHORIZATION_ERROR' } as const satisfies Refusal;
export const conflicting = { status: 409, code: 'CONFLICT' } as const satisfies Refusal;
export const malformed = { status: 400, code: 'VALIDATION_ERROR' } as const satisfies Refusal;
export const invalid = { status: 422, code: 'VALIDATION_ERROR' } as const satisfies Refusal;

/** Expects the documented error body: code, message, details, and the request id of the header. */
export function expectError(answer: Answer<unknown>, { status, code, field }: Refusal): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      error: {
        code,
        message: expect.stringMatching(/./),
        details: expect.anything(),
        request_id: answer.headers.get('x-request-id'),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    },
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  expectRateHeaders(answer.headers);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  if (field !== undefined) expect(detailsOf(answer)).toContainEqual({ field, message: expect.stringMatching(/./) });
}

export function expectRateHeaders(headers: Headers): void {
  for (const name of ['limit', 'remaining', 'reset', 'window']) {
    expect(headers.get(`x-ratelimit-${name}`), `x-ratelimit-${name}`).toMatch(/^\d+$/);
  }
  expect(headers.get('ratelimit-policy')).toMatch(/^"window";q=\d+;w=\d+, "burst";q=\d+;w=\d+$/);
  expect(headers.get('ratelimit')).toMatch(/^"window";r=\d+;t=\d+, "burst";r=\d+;t=\d+$/);
}

export function detailsOf(answer: Answer<unknown>): unknown {
  return (answer.body as { error: { details: unknown } }).error.details;
}

export function messageOf(answer: Answer<unknown>): string {
  return (answer.body as { error: { message: string } }).error.message;
}
