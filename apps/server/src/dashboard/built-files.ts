import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltFile, listBuiltFiles } from '../foundation/http/index.ts';
import { shippedFolder } from '../foundation/shipped.ts';

/** `page` is index.html, `files` what it loads. */
export type Dashboard = { page: string; files: ReadonlyMap<string, BuiltFile> };

const built = shippedFolder('dashboard', join(import.meta.dirname, '../../../dashboard/dist'));

export const notBuilt =
  'The dashboard is not built: `npm run build` makes it (`npm ci` does so too), then start again.';

/** What `npm run build` made. Null where it was never built. */
export function loadDashboard(folder = built): Dashboard | null {
  const path = join(folder, 'index.html');
  return existsSync(path) ? { page: readFileSync(path, 'utf8'), files: listBuiltFiles(folder) } : null;
}
