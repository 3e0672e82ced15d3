import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOpen } from '../../src/testing/parts/is-open.ts';
import { waitFor } from '../../src/testing/parts/wait-for.ts';
import type { Postgres } from './postgres.ts';
import { type Program, program } from './program.ts';

export type PgBouncer = Program & { url: string };

/** In transaction mode, with fewer sessions than the pools of all nodes together have connections. */
export async function preparePgBouncer(dir: string, port: number, { connection }: Postgres): Promise<PgBouncer> {
  const file = join(dir, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${connection.host} port=${connection.port} user=${connection.user} connect_query='set statement_timeout = 30000; set jit = off'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
server_login_retry = 1
`,
  );
  // PgBouncer refuses to run as root, so it runs as another user in a user namespace.
  const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];
  const [first = '', ...args] = [...(process.getuid?.() === 0 ? asNobody : []), 'pgbouncer', '-q', file];
  const server = program({
    name: 'PgBouncer',
    command: { file: first, args },
    log: join(dir, 'pgbouncer.log'),
    ready: (hasEnded) => waitFor('PgBouncer listens', async () => hasEnded() || isOpen('127.0.0.1', port)),
  });
  return { ...server, url: `postgres://${connection.user}@127.0.0.1:${port}/${connection.database}` };
}
