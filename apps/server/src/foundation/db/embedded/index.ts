import { once } from '../../concurrency/once.ts';
import { acquire, type Log } from './acquire.ts';
import { ensureCluster } from './cluster.ts';
import { database, port, prepareLayout, user } from './layout.ts';
import type { Holder } from './lock.ts';
import { keepServer } from './owner.ts';
import { findPrograms } from './programs.ts';
import { serverProcess } from './server-process.ts';

export { AlreadyRunningError, EmbeddedDatabaseError } from './errors.ts';
export type { Holder } from './lock.ts';

export type EmbeddedDatabase = {
  /** Options of a `pg` client or pool. The host is the directory of a Unix socket. */
  connection: { host: string; port: number; user: string; database: string };
  /** Stops the server if this process owns it; otherwise only disconnects. May be called more than once. */
  close(): Promise<void>;
};

/**
 * Opens the PostgreSQL database below a data directory. The database is created on first use. Its server is started if
 * it does not run, shared with commands that run at the same time, and stopped by its owner (see acquire.ts).
 */
export async function openEmbeddedDatabase(options: {
  dataDir: string;
  holder: Holder['role'];
  /** Shown to a second starter, for example `bottega start (pid 123) at http://localhost:3000`. */
  description: string;
  log: Log;
}): Promise<EmbeddedDatabase> {
  const { log } = options;
  const begun = Date.now();
  const layout = await prepareLayout(options.dataDir);
  // The programs are searched at most once. A command that shares a running server does not need them.
  const programs = once(() => findPrograms(layout));
  const { created } = await ensureCluster(layout, programs);

  const server = serverProcess(layout, programs);
  const me = { role: options.holder, description: options.description.replaceAll(/\s+/g, ' ') };
  const starter = { layout, server, me, log };
  const acquired = await acquire(starter, new AbortController().signal);
  const connection = { host: acquired.socketDir, port, user, database };
  if (acquired.kind === 'shared') return { connection, close: async () => {} };

  const { pid } = acquired;
  const adopted = pid !== server.runningPid();
  log.info({ pid, created, adopted, ms: Date.now() - begun }, 'the embedded database is running');
  // An adopted server may have its socket at another place. A server that replaces it uses the same place.
  const owner = { ...starter, layout: { ...layout, socketDir: acquired.socketDir } };
  return { connection, ...keepServer(owner, acquired) };
}
