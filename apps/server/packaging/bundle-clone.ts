import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleServer, shippedFolders } from './bundle.ts';

/**
 * The service of this clone as flat JavaScript files. It starts in half of the time of its sources and takes half of
 * their memory. `bin/bottega.js` runs it while no source is newer.
 */
const dir = join(import.meta.dirname, '../../../node_modules/.cache/bottega');

/** Writes the bundle into a folder below `node_modules`, where it finds the packages that it does not contain. */
export async function writeBundle(to: string, programs: Record<string, string> = {}): Promise<void> {
  // Built under another name, so that nobody finds half of it.
  const unfinished = `${to}-${process.pid}`;
  await bundleServer(unfinished, { programs, sourcemap: false });
  for (const [name, folder] of Object.entries(shippedFolders)) await symlink(folder, join(unfinished, name));
  // Otherwise Node parses every file twice, to detect its module type.
  await writeFile(join(unfinished, 'package.json'), '{"type": "module"}');
  const isThere = existsSync(to);
  if (isThere) await rename(to, `${unfinished}-former`);
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true }));
  if (isThere) await rm(`${unfinished}-former`, { recursive: true });
}

if (import.meta.main) {
  await mkdir(join(dir, '..'), { recursive: true });
  await writeBundle(dir);
}
