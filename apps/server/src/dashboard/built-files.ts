import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltFile, listBuiltFiles } from '../foundation/http/index.ts';
import { shippedFolder } from '../foundation/shipped.ts';
import type { FilesOfScreens } from './preloads.ts';

/** `page` is index.html, `files` are the files it loads, `screens` lists the files that each screen needs. */
export type Dashboard = { page: string; files: ReadonlyMap<string, BuiltFile>; screens: FilesOfScreens };

const built = shippedFolder('dashboard', join(import.meta.dirname, '../../../dashboard/dist'));

export const notBuilt =
  'The dashboard is not built. Run `npm run build` (`npm ci` also builds it), then restart Bottega.';

/**
 * Loads the result of `npm run build`. Null if there is no build, or only one of an earlier version, which has no list
 * of the files of screens.
 */
export function loadDashboard(folder = built): Dashboard | null {
  if (!existsSync(join(folder, 'screens.json'))) return null;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { page: read('index.html'), files: listBuiltFiles(folder), screens: JSON.parse(read('screens.json')) };
}
