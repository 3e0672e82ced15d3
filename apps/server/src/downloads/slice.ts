import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { loadDownloads } from './built-downloads.ts';
import { downloadsRoutes } from './downloads.routes.ts';

/** The packages that users install on other machines to use this instance. */
export function createDownloads(folder?: string): Slice {
  const downloads = loadDownloads(folder);
  return { otherRoutes: (app: App) => downloadsRoutes(app, downloads) };
}
