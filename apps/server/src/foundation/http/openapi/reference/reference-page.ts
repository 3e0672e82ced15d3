import type { FastifyInstance } from 'fastify';
import { rememberEncodings, sendEncoded } from '../../answers/encoded-text.ts';
import { type Described, pageOf, referencePolicy } from './page.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;
/** Everybody who opens it waits for all of it, so a little more of a thread's time is well spent once. */
const thorough = 9;

/** The readable documentation: made when somebody first opens it, and then the same for everybody. */
export function referencePage(app: FastifyInstance, document: () => Described): void {
  const encodings = rememberEncodings(() => pageOf(document()), thorough);
  app.get('/docs', open, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', open, (request, reply) => {
    reply.header('content-security-policy', referencePolicy);
    return sendEncoded(request, reply, { encodings, type: 'text/html' });
  });
}
