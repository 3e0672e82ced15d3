import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { malformed } from './app-error.ts';

/** JSON bodies only, by both of their names; what is not valid UTF-8 or JSON is a 400 that says so. */
export function registerParsing(app: FastifyInstance): void {
  // `__proto__` and `constructor.prototype` keys are refused.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      // Many clients set the content type on a POST without a body; the route's schema says whether it needs one.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body)) return done(malformed('The body is not valid UTF-8'));
      parse(request, body.toString('utf8'), (error, value) => {
        if (error) done(malformed('The body is not valid JSON'));
        else done(null, value);
      });
    },
  );
  // The router decodes the path; the query is ours to check.
  app.addHook('onRequest', async (request) => {
    const query = request.raw.url?.split('?', 2)[1];
    if (query?.includes('%')) decodeOrRefuse(query);
  });
}

function decodeOrRefuse(query: string): void {
  try {
    decodeURIComponent(query);
  } catch {
    throw malformed('The query has a percent-encoding that cannot be decoded');
  }
}
