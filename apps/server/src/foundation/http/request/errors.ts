import type { ErrorBody } from '@bottega/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { AppError, malformed, notFound, unavailable } from '../../app-error.ts';
import { WaitedTooLong } from '../../concurrency/keyed-queue.ts';
import { isDatabaseAway, isUnstorableText } from '../../db/errors.ts';
import { validationError } from './validation.ts';

/** Answers what no route is for, where it is for a reader; false: the documented body does. */
export type Lost = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** The documented body for every failure, those of the framework included. */
export function registerErrorHandling(
  app: FastifyInstance,
  onError: (error: unknown) => void = () => undefined,
  answersLost: Lost = () => false,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    onError(error);
    sendError(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!answersLost(request, reply)) sendError(noSuchRoute(), request, reply);
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

/** What is our fault. */
export function logFailure(failure: AppError, { id, log }: FastifyRequest): void {
  if (failure.status >= 500) log.error({ request_id: id, err: failure.cause ?? failure }, failure.message);
}

/** There the documented details are an object. */
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
    // Of the disk that packs and copies of repositories are on.
    case 'ENOSPC':
    case 'EDQUOT':
      return unavailable(error);
    // No id of ours is that long.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('Resource');
    // Only of the method QUERY, which no route has.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return noSuchRoute();
  }
  // What else the framework refuses with a 4xx is about the form of the request.
  if (statusCode && statusCode >= 400 && statusCode < 500) return malformed((error as Error).message);
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side', { cause: error });
}
