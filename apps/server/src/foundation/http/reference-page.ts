import fastify, { type FastifyInstance } from 'fastify';
import { rememberEncodings, sendEncoded } from './encoded-text.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;
/** The script is large, so a little more of a thread's time is well spent on it. */
const thorough = 9;

/**
 * The readable documentation. Its script comes from the package and its fonts from the system: the page works without the
 * internet. It is loaded when somebody first opens it: the script alone is some megabytes in the memory of every process.
 */
export function referencePage(app: FastifyInstance): void {
  let reference: Promise<FastifyInstance> | undefined;
  const ask = async (url: string) => {
    reference ??= loadReference();
    return (await reference).inject({ url });
  };
  app.get('/docs', open, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', open, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send((await ask('/docs/')).payload),
  );
  const script = rememberEncodings(async () => (await ask('/docs/js/scalar.js')).payload, thorough);
  app.get('/docs/js/scalar.js', open, (request, reply) =>
    sendEncoded(request, reply, { encodings: script, type: 'text/javascript' }),
  );
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
      // Each is shown where it is used; a list of all of them takes longer to draw than the rest.
      hideModels: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'bearer' },
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return reference;
}
