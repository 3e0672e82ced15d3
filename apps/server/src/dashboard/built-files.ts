import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from 'mime-types';
import { shippedFolder } from '../foundation/shipped.ts';

/** Each as the path of a file. */
export type BuiltFile = { type: string; plain: string; br: string | null; gzip: string | null };

/** `page` is index.html, `files` everything else by its path in the address. */
export type Dashboard = { page: string; files: ReadonlyMap<string, BuiltFile> };

const built = shippedFolder('dashboard', join(import.meta.dirname, '../../../dashboard/dist'));

export const notBuilt =
  'The dashboard is not built: `npm run build` makes it (`npm ci` does so too), then start again.';

/**
 * What `npm run build` made, looked at once: an address either names one of these files or nothing, so there is no path to
 * escape by. They stay on the disk, since every process would hold all of them. Null where it was never built.
 */
export function loadDashboard(folder = built): Dashboard | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
  const ifThere = (name: string) => (names.includes(name) ? join(folder, name) : null);
  const files = names
    .filter((name) => name !== '/index.html' && !/\.(br|gz)$/.test(name))
    .map((name): [string, BuiltFile] => [
      name,
      {
        type: lookup(name) || 'application/octet-stream',
        plain: join(folder, name),
        br: ifThere(`${name}.br`),
        gzip: ifThere(`${name}.gz`),
      },
    ]);
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), files: new Map(files) };
}
