import type { FastifyInstance } from 'fastify';
import { rememberEncodings, sendEncodedJson } from '../answers/encoded-text.ts';
import { type DescribedRoute, describeRoutes, type OpenApiDocument, withServers } from './openapi-document.ts';
import { withHeadings } from './openapi-headings.ts';
import { securitySchemes } from './openapi-security.ts';
import type { Described } from './reference/page.ts';
import { referencePage } from './reference/reference-page.ts';

const secondMount = '/api/v1';

/** Builds the document from the routes. This function must be called before the routes are registered. */
export async function registerOpenApi(app: FastifyInstance, publicUrl: () => string): Promise<void> {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (schema?.hide || url.startsWith(secondMount)) return;
    const { access: needs = 'public', notForApps = false } = config ?? {};
    for (const one of [method].flat()) {
      // Fastify answers HEAD wherever it answers GET, so HEAD is not listed.
      if (one !== 'HEAD')
        routes.push({ method: one.toLowerCase(), url, schema: schema ?? {}, access: { needs, notForApps } });
    }
  });

  let document: OpenApiDocument | undefined;
  function openApiDocument(): OpenApiDocument {
    document ??= withHeadings(describeRoutes(structuredClone(routes)));
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
