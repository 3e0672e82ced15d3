import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';

/**
 * The id of the command or terminal that a request starts. With an Idempotency-Key, every attempt gets the same id, so
 * that the agent starts the command or terminal only once.
 */
export function repeatableId(prefix: 'cmd' | 'trm', request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return newId(prefix);
  const about = [principalOf(request).userId, request.url, key].join('\0');
  return `${prefix}_${createHash('sha256').update(about).digest('hex').slice(0, 26)}`;
}
