import { createHash } from 'node:crypto';
import { access, chown, constants, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabaseError } from './errors.ts';

export const port = 5432;
export const user = 'bottega';
export const database = 'bottega';
export const socketName = `.s.PGSQL.${port}`;

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, including the closing NUL. */
const longestSocketPath = 103;

export type Layout = {
  /** The directory that the caller specified, with symbolic links resolved, so that each cluster has only one name. */
  dataDir: string;
  /** `<dataDir>/postgres`: contains everything that belongs to the database, except in some cases the socket. */
  root: string;
  cluster: string;
  log: string;
  socketDir: string;
};

export type Owner = { uid: number; gid: number };

export async function prepareLayout(givenDataDir: string): Promise<Layout> {
  const dataDir = await makePrivate(givenDataDir);
  await refuseReadOnly(dataDir);
  const root = await makePrivate(join(dataDir, 'postgres'));
  await refuseForeign(root);
  await refuseReadOnly(root);
  return {
    dataDir,
    root,
    cluster: join(root, 'data'),
    log: join(root, 'postgres.log'),
    socketDir: chooseSocketDir(dataDir, root),
  };
}

async function makePrivate(dir: string): Promise<string> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return await realpath(dir);
  } catch (cause) {
    const reason = await whyNotMade(dir, cause as Error);
    throw new EmbeddedDatabaseError(`The embedded database cannot be stored in ${dir}: ${reason}`, { cause });
  }
}

/**
 * Returns why a directory cannot be created. The error of a recursive `mkdir` may only say that something is missing.
 * If the parent exists, the error of a plain `mkdir` explains more.
 */
const whyNotMade = (dir: string, { message }: Error): Promise<string> =>
  mkdir(dir).then(
    () => message,
    (error: Error & { code?: string }) => (error.code === 'ENOENT' ? message : error.message),
  );

/**
 * Throws if the directory belongs to another user. Otherwise, the first symptom would be a socket that never responds.
 */
async function refuseForeign(root: string): Promise<void> {
  const me = process.geteuid?.() ?? 0;
  const { uid } = await stat(root);
  if (me === 0 || uid === me) return;
  throw new EmbeddedDatabaseError(`${root} belongs to user id ${uid}, not to ${me}: start Bottega as that user`);
}

/**
 * Throws on a read-only file system, to which even root cannot write. Otherwise, the first symptom would be that no
 * user can run PostgreSQL here.
 */
async function refuseReadOnly(dir: string): Promise<void> {
  await access(dir, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EROFS') return;
    throw new EmbeddedDatabaseError(
      `The embedded database cannot be stored in ${dir}: the file system is read-only. Set BOTTEGA_DATA_DIR to a writable directory.`,
      { cause },
    );
  });
}

/**
 * Chooses the directory of the socket. If it is outside the data directory, its name is derived from the real path of
 * the data directory, so that every starter finds the same one. (A starter with another TMPDIR finds a running server
 * through postmaster.pid.)
 */
function chooseSocketDir(dataDir: string, root: string): string {
  const inside = join(root, 'run');
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const outside = [tmpdir(), '/tmp'].map((dir) => join(dir, `bottega-${hash}`));
  const fits = (dir: string) => Buffer.byteLength(join(dir, socketName)) <= longestSocketPath;
  const socketDir = [inside, ...outside].find(fits);
  if (!socketDir) throw new EmbeddedDatabaseError(`No socket path for ${dataDir} is short enough`);
  return socketDir;
}

export async function prepareSocketDir(dir: string, { root }: Layout): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await refuseForeignSocketDir(dir, root);
  const { uid, gid } = await stat(root);
  if (process.geteuid?.() === 0) await chown(dir, uid, gid);
}

/**
 * Throws if the socket's directory belongs to somebody else. Its owner could read what we send to the database, and
 * could answer instead of the database. In a shared temporary directory, anyone may have created a directory of that
 * name first. So the directory is checked before it is used, also by processes that only connect.
 */
export async function refuseForeignSocketDir(dir: string, root: string): Promise<void> {
  const stats = await lstat(dir).catch(() => undefined);
  if (!stats) return;
  const trusted = [process.geteuid?.(), (await stat(root)).uid];
  if (stats.isDirectory() && trusted.includes(stats.uid) && (stats.mode & 0o077) === 0) return;
  throw new EmbeddedDatabaseError(
    `${dir} is not a directory that belongs to this user with mode 0700 (a symbolic link is not allowed): remove it`,
  );
}
