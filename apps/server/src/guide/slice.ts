import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type App, listBuiltFiles } from '../foundation/http/index.ts';
import { shippedFolder } from '../foundation/shipped.ts';
import type { Slice } from '../foundation/slice.ts';
import { guideRoutes } from './guide.routes.ts';

const built = shippedFolder('guide', join(import.meta.dirname, '../../../guide/dist'));

/**
 * Serves the documentation of this version, which can be read and searched offline. Serves nothing if it was never
 * built.
 */
export function createGuide(folder = built): Slice {
  if (!existsSync(join(folder, 'index.html'))) return {};
  const files = listBuiltFiles(folder);
  return { otherRoutes: (app: App) => guideRoutes(app, files) };
}
