import fastify, { type FastifyInstance } from 'fastify';

/**
 * The readable documentation. Its script comes from the package and its fonts from the system: the page works without the
 * internet. It is loaded when somebody first opens it: the script alone is some megabytes in the memory of every process.
 */
export function referencePage(app: FastifyInstance): void {
  let reference: Promise<FastifyInstance> | undefined;
  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    app.get(path, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
      reference ??= loadReference();
      const { headers, rawPayload, statusCode } = await (await reference).inject({ url: request.url });
      for (const name of ['content-type', 'location']) if (headers[name]) reply.header(name, headers[name]);
      return reply.code(statusCode).send(rawPayload);
    });
  }
}

async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference: FastifyInstance = fastify();
  await reference.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Bottega API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'bearer' },
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return reference;
}
