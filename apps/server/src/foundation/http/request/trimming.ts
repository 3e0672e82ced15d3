import type { preValidationHookHandler } from 'fastify';

/** Trims the named fields of a body before the schema checks their length. */
export function trimming(...fields: string[]): preValidationHookHandler {
  return (request, _reply, done) => {
    const body = request.body as Record<string, unknown> | null;
    if (body !== null && typeof body === 'object') {
      for (const field of fields) {
        const value = body[field];
        if (typeof value === 'string') body[field] = value.trim();
      }
    }
    done();
  };
}
