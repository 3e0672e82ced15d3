import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asAppError, logFailure, sendError } from '../../foundation/http/request/errors.ts';

/**
 * Git shows its user the body of a refusal if it is plain text, each line behind `remote:`, and nothing of any other.
 * Everyone else gets the documented form; so does git of an error of ours, which has nothing to tell.
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
