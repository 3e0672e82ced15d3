import type { FastifyRequest } from 'fastify';
import type { App } from '../foundation/http/index.ts';
import { mcpResource } from '../identity/oauth/index.ts';
import { scopesFor, toolSetNames } from './tools/index.ts';

const path = '/.well-known/oauth-protected-resource';

/**
 * Serves the metadata by which a client that knows only the URL of `/mcp` finds the authorization server (RFC 9728).
 */
export function resourceMetadataRoutes(app: App, publicUrl: () => string): void {
  const open = { config: { access: 'public' }, schema: { hide: true } } as const;
  for (const url of [path, `${path}/mcp`]) {
    app.get(url, open, async (request, reply) =>
      reply.header('access-control-allow-origin', '*').send({
        resource: `${mcpResource(publicUrl())}${narrowingIn(request)}`,
        authorization_servers: [publicUrl()],
        scopes_supported: scopesFor('write', toolSetNames),
        bearer_methods_supported: ['header'],
        resource_name: 'Bottega',
        resource_documentation: `${publicUrl()}/guide/mcp/`,
      }),
    );
  }
}

/**
 * Returns the parameters of the URL that narrow the access. Clients compare the resource with the exact URL that they
 * requested (RFC 9728, 3.3), so the metadata repeats these parameters. It repeats nothing else.
 */
function narrowingIn({ raw }: FastifyRequest): string {
  return /\?((access|project|tools)=[\w,]{1,40}(&|$)){1,3}$/.exec(raw.url ?? '')?.[0] ?? '';
}

/**
 * The challenge of RFC 6750 and 9728. It lists the scopes that a client should request: those for reading, unless the
 * URL contains `?access=write`. So adding the URL alone grants no write access.
 */
export function challengeOf(request: FastifyRequest, publicUrl: string): string {
  const { access, tools } = request.query as { access?: unknown; tools?: unknown };
  const named = typeof tools === 'string' ? tools.split(',') : [];
  const sets = toolSetNames.filter((name) => named.includes(name) || named.includes('all'));
  const scope = scopesFor(access === 'write' ? 'write' : 'read', sets).join(' ');
  const error = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${error}resource_metadata="${publicUrl}${path}/mcp${narrowingIn(request)}", scope="${scope}"`;
}
