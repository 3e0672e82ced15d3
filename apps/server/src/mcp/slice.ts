import { once } from '../foundation/concurrency/once.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { mcpRoutes } from './mcp.routes.ts';
import { resourceMetadataRoutes } from './resource-metadata.ts';
import { type AsCaller, apiFor } from './tools/index.ts';

type Needs = { asCaller: AsCaller };

/** The Model Context Protocol at /mcp: the part of the API that agents can use. */
export function createMcp({ config, db, publicUrl }: Ground, { asCaller }: Needs): Slice {
  if (!config.mcp) return {};
  return {
    async otherRoutes(app: App) {
      resourceMetadataRoutes(app, publicUrl);
      // The library takes some megabytes in every process, so it is loaded on first use.
      const protocol = once(async () => {
        const { createProtocol } = await import('./protocol.ts');
        return createProtocol({ db, apiOf: apiFor(app, asCaller) });
      });
      await app.register(async (scope: App) => mcpRoutes(scope, { publicUrl, origins: config.corsOrigins, protocol }));
    },
  };
}
