import type { ErrorBody } from '@bottega/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { AppError, malformed, notFound, unavailable } from '../../app-error.ts';
import { WaitedTooLong } from '../../concurrency/keyed-queue.ts';
import { isDatabaseAway, isUnstorableText } from '../../db/errors.ts';
import { validationError } from './validation.ts';

/**
 * Answers a request without a route with a page. Returns false if it has sent nothing, and the documented error body is
 * to be sent.
 */
export type NotFoundHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Answers every failure, including those of the framework, with the documented body. */
export function registerErrorHandling(
  app: FastifyInstance,
  onError: (error: unknown) => void = () => undefined,
  answersNotFound: NotFoundHandler = () => false,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    onError(error);
    sendError(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!answersNotFound(request, reply)) sendError(noSuchRoute(), request, reply);
  });
}

const noSuchRoute = (): AppError => new AppError('NOT_FOUND', 'Route not found');

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error, request.body);
  logFailure(known, request);
  reply
    .code(known.status)
    .headers(known.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(known, request.id, request.url)));
}

/** Logs failures that are our fault. */
export function logFailure(failure: AppError, { id, log }: FastifyRequest): void {
  if (failure.status >= 500) log.error({ request_id: id, err: failure.cause ?? failure }, failure.message);
}

/** Whether the path belongs to live sessions. The details of their errors are documented as an object. */
const isCollaboration = (path: string): boolean => /^(\/api)?\/v1\/collaboration([/?]|$)/.test(path);

export function errorBody(error: AppError, requestId: string, path = ''): Static<typeof ErrorBody> {
  const { details } = error;
  return {
    error: {
      code: error.code,
      message: error.message,
      details: Array.isArray(details) && isCollaboration(path) ? { fields: details } : details,
      request_id: requestId,
      timestamp: new Date().toISOString(),
    },
  };
}

export function asAppError(error: unknown, body?: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error) || error instanceof WaitedTooLong) return unavailable(error);
  if (isUnstorableText(error)) return malformed('Strings must not contain the character U+0000');
  const { validation, validationContext, code, statusCode } = error as Partial<FastifyError>;
  if (validation) return validationError(validation, validationContext, body);
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('VALIDATION_ERROR', 'The body is too large', { status: 413 });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('VALIDATION_ERROR', 'The content type must be application/json', { status: 415 });
    case 'FST_ERR_BAD_URL':
      return malformed('The URL has an invalid percent-encoding');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return malformed('The body length does not match Content-Length');
    // The disk with the packs and copies of repositories is full.
    case 'ENOSPC':
    case 'EDQUOT':
      return unavailable(error);
    // None of our ids is that long, so nothing can have this id.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('Resource');
    // Only the method QUERY causes this error, and no route has that method.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return noSuchRoute();
  }
  // Other 4xx errors of the framework concern the form of the request.
  if (statusCode && statusCode >= 400 && statusCode < 500) return malformed((error as Error).message);
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side', { cause: error });
}
