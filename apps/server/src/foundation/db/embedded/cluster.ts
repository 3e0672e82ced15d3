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
/** No initdb takes this long: the process id in the name has gone to another program. */
const oldestUnfinished = 10 * 60_000;

/**
 * Makes the cluster if there is none. initdb works in a directory of its own and its result
 * appears by a rename: a kill leaves no half cluster, and of two starters at once the second
 * cannot replace a directory that is not empty, and takes what the first one made.
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

/** The builtin provider: the order of text does not change with the system's C library. */
async function initialise(dir: string, { initdb, runAs }: Programs): Promise<void> {
  const { file, args, options } = commandAs(runAs, initdb, [
    ...['-D', dir, '--username', user, '--auth', 'trust', '--no-instructions'],
    ...['--encoding', 'UTF8', '--locale', 'C'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  ]);
  await promisify(execFile)(file, args, options).catch((error: Error & { stderr?: string }) => {
    // Its first complaint is the cause; what follows is how initdb cleans up.
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
  // initdb has synced what is inside; the name itself is durable only with its directory.
  const directory = await open(root, 'r');
  await directory.sync().finally(() => directory.close());
  return true;
}

async function refuseOtherContent(cluster: string): Promise<void> {
  const content = await readdir(cluster).catch((): string[] => []);
  // Read again: another starter's cluster may have appeared since we looked.
  if (content.length === 0 || content.includes('PG_VERSION')) return;
  throw new EmbeddedDatabaseError(`${cluster} contains files but no PostgreSQL cluster: move it away`);
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

/** Another major version cannot read these files; PostgreSQL itself says so only in its log. */
export async function refuseOtherVersion(cluster: string, { version }: Programs): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found === version.split('.')[0]) return;
  throw new EmbeddedDatabaseError(
    `${cluster} was created by PostgreSQL ${found}, but this is PostgreSQL ${version}: ` +
      'back up with the release that created it, and restore with this one (docs/backup.md)',
  );
}
