import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ensureCluster } from '../../src/foundation/db/embedded/cluster.ts';
import { prepareLayout, prepareSocketDir, user } from '../../src/foundation/db/embedded/layout.ts';
import { findPrograms } from '../../src/foundation/db/embedded/programs.ts';
import { commandAs } from '../../src/foundation/db/embedded/run-as.ts';
import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { type Program, program } from './program.ts';

export type Postgres = Program & {
  port: number;
  /** A connection to the service's database, without PgBouncer. */
  connection: { host: string; port: number; user: string; database: string };
  /** The server and all of its processes. */
  allPids(): Promise<number[]>;
};

const host = '127.0.0.1';
const database = 'bottega';
/** Small, so that a test can quickly use all of them. */
export const maxConnections = 100;

/** A server for this run only, with PostgreSQL's default settings, as an operator's own server has. */
export async function preparePostgres(dir: string, port: number, connections = maxConnections): Promise<Postgres> {
  const layout = await prepareLayout(join(dir, 'database'));
  const programs = await findPrograms(layout);
  await ensureCluster(layout, async () => programs);
  await prepareSocketDir(layout.socketDir, layout);
  await chmod(dir, 0o711);
  const settings = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: `"${layout.socketDir}"`,
    max_connections: String(connections),
    // A killed server loses nothing that it has written to the system; only a power cut would.
    fsync: 'off',
    // Leaves no shared memory in the system when it is killed.
    dynamic_shared_memory_type: 'mmap',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(programs.runAs, programs.postgres, ['-D', layout.cluster, ...assignments]);
  const connection = { host, port, user, database };
  const server = program({
    name: 'PostgreSQL',
    command: { file, args, env: options.env, cwd: options.cwd },
    log: join(dir, 'postgres.log'),
    ready: (hasEnded) => waitFor('PostgreSQL answers', async () => hasEnded() || answers(connection), 60_000),
  });
  return { ...server, port, connection, allPids: () => familyOf(server.pid()) };
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end().catch(() => undefined));
}

export async function createDatabase({ connection }: Postgres): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
}

async function familyOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=']);
  const pids = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid = 0]) => pid);
  return [parent, ...pids];
}
