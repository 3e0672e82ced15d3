import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from 'mime-types';
import { shippedFolder } from '../foundation/shipped.ts';

export type BuiltFile = { type: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null };

/** `page` is index.html, `files` everything else by its path in the address. */
export type Dashboard = { page: string; files: ReadonlyMap<string, BuiltFile> };

const built = shippedFolder('dashboard', join(import.meta.dirname, '../../../dashboard/dist'));

export const notBuilt =
  'The dashboard is not built: `npm run build` makes it (`npm ci` does so too), then start again.';

/**
 * What `npm run build` made, read once: a few megabytes, and an address either names one of these files or nothing, so
 * there is no path to escape by. Null where it was never built.
 */
export function loadDashboard(folder = built): Dashboard | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
  const read = (name: string) => readFileSync(join(folder, name));
  const readIfThere = (name: string) => (names.includes(name) ? read(name) : null);
  const files = names
    .filter((name) => name !== '/index.html' && !/\.(br|gz)$/.test(name))
    .map((name): [string, BuiltFile] => [
      name,
      {
        type: lookup(name) || 'application/octet-stream',
        plain: read(name),
        br: readIfThere(`${name}.br`),
        gzip: readIfThere(`${name}.gz`),
      },
    ]);
  return { page: read('/index.html').toString(), files: new Map(files) };
}
