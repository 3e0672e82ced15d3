import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, type BuiltFile, forever, sendBuiltFile } from '../foundation/http/index.ts';
import { policyOf } from './page-policy.ts';

type Files = ReadonlyMap<string, BuiltFile>;

const open = { config: { access: 'public' }, schema: { hide: true } } as const;

/**
 * Serves the documentation. `/guide/backup/` is the page backup/index.html. Paths without a final slash are the names
 * of files.
 */
export function guideRoutes(app: App, files: Files): void {
  const policies = new Map<string, string>();
  app.get('/guide', open, (_request, reply) => reply.redirect('/guide/', 308));
  app.get('/guide/*', open, async (request, reply) => {
    const path = (request.url.split('?', 1)[0] ?? '').slice('/guide'.length);
    if (path.endsWith('/')) return sendPage(request, reply, files.get(`${path}index.html`));
    if (files.has(`${path}/index.html`)) return reply.redirect(`/guide${path}/`, 308);
    const file = path.endsWith('.html') ? undefined : files.get(path);
    if (!file && wantsPage(request)) return sendPage(request, reply.code(404), files.get('/404.html'));
    // For a worker, the policy of its own script file counts. The worker of the search must be able to load the index.
    reply.header('content-security-policy', policyOf(''));
    const cacheControl = path.startsWith('/_astro/') ? forever : 'public, max-age=3600';
    return sendBuiltFile(request, reply, { file, cacheControl });
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply, file: BuiltFile | undefined) {
    if (!file) return sendBuiltFile(request, reply, { file, cacheControl: '' });
    const policy = policies.get(file.plain) ?? policyOf(await readFile(file.plain, 'utf8'));
    policies.set(file.plain, policy);
    reply.header('content-security-policy', policy);
    // The page refers to the files of the current version.
    return sendBuiltFile(request, reply, { file, cacheControl: 'no-cache' });
  }
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;
