import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEtag } from '../foundation/http/answers/content-headers.ts';
import { type App, AppError } from '../foundation/http/index.ts';
import type { LoadedDownload } from './built-downloads.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;

const notBuilt = 'The downloads of this version are not built. Run `npm run build`, then restart Bottega.';

/** The packages of the command line and the SDK, so that no registry is needed to install them. */
export function downloadsRoutes(app: App, downloads: LoadedDownload[] | null): void {
  const files = (): LoadedDownload[] => {
    if (!downloads) throw new AppError('NOT_FOUND', notBuilt);
    return downloads;
  };
  app.get('/downloads', open, (_request, reply) => reply.redirect('/downloads/', 308));
  app.get('/downloads/', open, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ files: files().map(({ content: _, ...listed }) => listed) }),
  );
  // In the format that `sha256sum -c` accepts.
  app.get('/downloads/SHA256SUMS', open, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(
        files()
          .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
          .join(''),
      ),
  );
  app.get<{ Params: { name: string } }>('/downloads/:name', open, (request, reply) => {
    const file = files().find(({ name }) => name === request.params.name);
    if (!file) throw new AppError('NOT_FOUND', 'There is no such download; GET /downloads/ lists all downloads');
    return sendDownload(request, reply, file);
  });
}

/**
 * Sends a package. A new version changes the content but not the name, so clients must check whether their copy is
 * current.
 */
function sendDownload(request: FastifyRequest, reply: FastifyReply, { content, sha256 }: LoadedDownload): FastifyReply {
  const etag = `"${sha256}"`;
  reply.header('etag', etag).header('cache-control', 'no-cache');
  const hasIt = namesEtag(request.headers['if-none-match'] ?? '', etag);
  return hasIt ? reply.code(304).send() : reply.type('application/gzip').send(content);
}
