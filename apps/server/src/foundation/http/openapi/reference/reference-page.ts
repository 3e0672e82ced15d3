import type { FastifyInstance } from 'fastify';
import { rememberEncodings, sendEncoded } from '../../answers/encoded-text.ts';
import { type Described, pageOf, referencePolicy } from './page.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;
/** Brotli quality. Every reader waits for the whole page, so a little more time is spent on compressing it once. */
const thorough = 9;

/** The readable documentation. It is built when it is first opened, and is the same for everybody. */
export function referencePage(app: FastifyInstance, document: () => Described): void {
  const encodings = rememberEncodings(() => pageOf(document()), thorough);
  app.get('/docs', open, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', open, (request, reply) => {
    reply.header('content-security-policy', referencePolicy);
    return sendEncoded(request, reply, { encodings, type: 'text/html' });
  });
}
