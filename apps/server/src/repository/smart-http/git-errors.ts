import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asAppError, logFailure, sendError } from '../../foundation/http/request/errors.ts';

/**
 * Sends an error. Git shows the body of a refusal to its user only if it is plain text, with `remote:` before each
 * line. Other clients get the documented form. Git gets that form too for internal errors, which contain nothing to
 * show.
 */
export function sendGitError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error);
  const isGit = request.headers['user-agent']?.startsWith('git/') ?? false;
  if (!isGit || known.code === 'INTERNAL_ERROR') {
    sendError(error, request, reply);
    return;
  }
  logFailure(known, request);
  reply.code(known.status).headers(known.headers).type('text/plain; charset=utf-8').send(`${known.message}\n`);
}
