import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../processes/is-alive.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { type Layout, user } from './layout.ts';
import type { Programs } from './programs.ts';
import { commandAs } from './run-as.ts';

const unfinished = 'data.new-';
/**
 * Longer than any initdb takes, in milliseconds. If an unfinished directory is older, its initdb has ended, even if a
 * process with the id in its name exists.
 */
const oldestUnfinished = 10 * 60_000;

/**
 * Creates the cluster if there is none. initdb works in a separate directory, which is then renamed. So a kill leaves
 * no partial cluster. If two starters do this at the same time, the second cannot replace a directory that is not
 * empty, and uses the cluster of the first.
 */
export async function ensureCluster(layout: Layout, programs: () => Promise<Programs>) {
  await removeUnfinished(layout.root);
  if (existsSync(join(layout.cluster, 'PG_VERSION'))) return { created: false };
  await refuseOtherContent(layout.cluster);
  const temporary = join(layout.root, `${unfinished}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await initialise(temporary, await programs());
    return { created: await moveIntoPlace(temporary, layout) };
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Runs initdb. It uses the builtin locale provider, so that the order of text does not change with the system's C
 * library.
 */
async function initialise(dir: string, { initdb, runAs }: Programs): Promise<void> {
  const { file, args, options } = commandAs(runAs, initdb, [
    ...['-D', dir, '--username', user, '--auth', 'trust', '--no-instructions'],
    ...['--encoding', 'UTF8', '--locale', 'C'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  ]);
  await promisify(execFile)(file, args, options).catch((error: Error & { stderr?: string }) => {
    // The first error message is the cause. The others are about how initdb cleans up.
    const said = error.stderr?.split('\n').find((line) => /\b(FATAL|PANIC|error):/.test(line));
    const reason = said?.replace(/^.*?\b(FATAL|PANIC|error): +/, '') ?? (error.stderr?.trim() || error.message);
    throw new EmbeddedDatabaseError(`The embedded database could not be created: ${reason}`, {
      cause: error,
    });
  });
}

async function moveIntoPlace(temporary: string, { cluster, root }: Layout): Promise<boolean> {
  try {
    await rename(temporary, cluster);
  } catch (error) {
    if (existsSync(join(cluster, 'PG_VERSION'))) return false;
    throw error;
  }
  // initdb has synced the contents. The name is durable only after the parent directory is synced.
  const directory = await open(root, 'r');
  await directory.sync().finally(() => directory.close());
  return true;
}

async function refuseOtherContent(cluster: string): Promise<void> {
  const content = await readdir(cluster).catch((): string[] => []);
  // The directory is read again, because another starter's cluster may have appeared meanwhile.
  if (content.length === 0 || content.includes('PG_VERSION')) return;
  throw new EmbeddedDatabaseError(`${cluster} contains files but no PostgreSQL cluster: move the directory elsewhere`);
}

async function removeUnfinished(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(unfinished)) continue;
    const path = join(root, name);
    const creator = Number.parseInt(name.slice(unfinished.length), 10);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
    if (isAlive(creator) && age < oldestUnfinished) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Throws if the cluster was created by another major version, because this version cannot read its files. PostgreSQL
 * itself would report that only in its log.
 */
export async function refuseOtherVersion(cluster: string, { version }: Programs): Promise<void> {
  const clusterVersion = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (clusterVersion === version.split('.')[0]) return;
  throw new EmbeddedDatabaseError(
    `${cluster} was created by PostgreSQL ${clusterVersion}, but this is PostgreSQL ${version}: ` +
      'back up with the release that created it, and restore with this one (docs/backup.md)',
  );
}
