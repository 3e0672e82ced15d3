import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { malformed } from '../../app-error.ts';

/** Accepts only JSON bodies, with either of two media types. Invalid UTF-8 or JSON causes a 400 that says so. */
export function registerParsing(app: FastifyInstance): void {
  // Refuses the keys `__proto__` and `constructor.prototype`.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      // Many clients set the content type on a POST without a body. The route's schema decides whether a body is
      // required.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body)) return done(malformed('The body is not valid UTF-8'));
      const text = body.toString('utf8');
      parse(request, text, (error, value) => {
        if (error) done(malformed(isJson(text) ? forbiddenNames : 'The body is not valid JSON'));
        else if (isDeeperThan(maxLevels, value))
          done(malformed(`The body is nested more than ${maxLevels} levels deep`));
        else done(null, value);
      });
    },
  );
  app.addHook('onRequest', (request, _reply, done) => {
    // The router has already decoded the path, so only the query is checked here.
    const query = request.raw.url?.split('?', 2)[1];
    done(query?.includes('%') && !canBeDecoded(query) ? malformed(undecodable) : undefined);
  });
}

const forbiddenNames = 'The body must not contain __proto__ or constructor.prototype';

/**
 * Deepest nesting of a body. No valid body has this many levels, and recursion over tens of thousands would overflow
 * the stack.
 */
const maxLevels = 100;

function isDeeperThan(levels: number, value: unknown): boolean {
  let items = [value];
  for (let level = 0; level < levels && items.length > 0; level++) {
    items = items.filter(isContainer).flatMap((item) => Object.values(item));
  }
  return items.some(isContainer);
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const undecodable = 'The query has an invalid percent-encoding';

function canBeDecoded(query: string): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}
