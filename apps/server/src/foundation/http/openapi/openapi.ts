import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { rememberEncodings, sendEncodedJson } from '../answers/encoded-text.ts';
import { describeOperations, type OpenApiDocument, withServers } from './openapi-document.ts';
import { withHeadings } from './openapi-headings.ts';
import { withMemberNames } from './openapi-portable.ts';
import { type RouteAccess, securitySchemes } from './openapi-security.ts';
import type { Described } from './reference/page.ts';
import { referencePage } from './reference/reference-page.ts';

const secondMount = '/api/v1';

/** Must run before the routes are registered, since the document is collected from them. */
export async function registerOpenApi(app: FastifyInstance, publicUrl: () => string): Promise<void> {
  // The guard's config is not part of a schema, so it is collected here for the document.
  const accessByRoute = new Map<string, RouteAccess>();
  app.addHook('onRoute', (route: RouteOptions) => {
    for (const method of [route.method].flat()) {
      const { access = 'public', notForApps = false } = route.config ?? {};
      accessByRoute.set(`${method.toLowerCase()} ${route.url}`, { needs: access, notForApps });
    }
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Bottega',
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'A self-hosted cloud development platform. Every route under `/v1` is also available under `/api/v1`, and ' +
          'the webhook routes, with other defaults, under `/api/webhooks`. ' +
          'Every response carries `X-Request-Id` and the rate-limit headers. ' +
          'Strings must be well-formed Unicode: an unpaired surrogate causes a 422 for its field.',
      },
    },
    transform: ({ schema, url }) => ({
      schema: {
        ...schema,
        ...(url.startsWith(secondMount) && { hide: true }),
        ...(schema?.body !== undefined && { body: withMemberNames(schema.body) }),
      },
      url,
    }),
  });

  let document: OpenApiDocument | undefined;
  function openApiDocument(): OpenApiDocument {
    document ??= withHeadings(
      describeOperations(structuredClone(app.swagger()) as unknown as OpenApiDocument, accessByRoute),
    );
    const url = publicUrl();
    const components = { ...document.components, securitySchemes: securitySchemes(url) };
    return withServers({ ...document, components }, url);
  }

  const encoded = rememberEncodings(() => JSON.stringify(openApiDocument()));
  app.get('/openapi.json', { config: { access: 'public', counted: true }, schema: { hide: true } }, (request, reply) =>
    sendEncodedJson(request, reply, encoded),
  );

  referencePage(app, () => openApiDocument() as unknown as Described);
}
