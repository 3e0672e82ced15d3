import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { freePort } from './free-port.ts';
import { isOpen } from './is-open.ts';
import { waitFor } from './wait-for.ts';

type Pooler = { host: string; port: number; user: string };

/** A PgBouncer in transaction mode in front of the test server, with few sessions, so that clients share them. */
export function usePgBouncer({ sessions = 3 } = {}): () => Pooler {
  let directory: string;
  let pooler: Pooler;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const server = inject('postgres');
    directory = await mkdtemp(join(tmpdir(), 'bottega-pgbouncer-'));
    pooler = { host: '127.0.0.1', port: await freePort(), user: server.user };
    const file = join(directory, 'pgbouncer.ini');
    await writeFile(
      file,
      `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = ${pooler.host}
listen_port = ${pooler.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 500
`,
    );
    stop = await run(['pgbouncer', '-q', file], pooler);
  });
  afterAll(async () => {
    await stop?.();
    await rm(directory, { recursive: true, force: true });
  });
  return () => pooler;
}

async function run(command: string[], { host, port }: Pooler): Promise<() => Promise<void>> {
  // PgBouncer refuses to run as root, so it runs as another user in a user namespace.
  const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];
  const [program = '', ...args] = process.getuid?.() === 0 ? [...asNobody, ...command] : command;
  const child = spawn(program, args, { stdio: 'ignore' });
  await waitFor('the pooler listens', () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return isOpen(host, port);
  });
  return async () => {
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  };
}
