import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../config/index.ts';
import { tellingOfPort } from './port-in-use.ts';

/**
 * `reusePort` means that other processes of this service share the port. The kernel distributes new connections among
 * them.
 */
export type ListenAt = { port: number; host: string; reusePort: boolean };

/** Opens a listener for clients and returns its port. Every listener for clients is opened by this function. */
export async function listenAt(server: Server, at: ListenAt): Promise<number> {
  boundConnections(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * Whether processes can share a port. Linux and the BSDs support this. On other systems, the service is one process.
 */
export async function canSharePorts(): Promise<boolean> {
  const first = createServer();
  const second = createServer();
  const at = { port: 0, host: '127.0.0.1', reusePort: true };
  try {
    await listenAt(second, { ...at, port: await listenAt(first, at) });
    // macOS has the option, but gives all connections to one of the sockets.
    return process.platform !== 'darwin';
  } catch {
    return false;
  } finally {
    for (const server of [first, second]) server.close();
  }
}

/**
 * Throws if a port is in use. If another service of the same user opened a port that we share, it would get half of our
 * clients. So the primary first opens each port exclusively, which fails if any process has the port open.
 */
export async function mustBeFree({ host, port, apps, tls }: Config): Promise<void> {
  const ports = [
    { port, setting: 'PORT' },
    { port: apps.port, setting: appsPortSetting },
    { port: tls?.httpPort ?? 0, setting: 'BOTTEGA_HTTP_PORT' },
  ];
  for (const { port: wanted, setting } of ports) {
    if (wanted === 0) continue;
    const server = createServer();
    await listenAt(server, { port: wanted, host, reusePort: false }).catch(tellingOfPort(wanted, setting));
    await new Promise((resolve) => server.close(resolve));
  }
}

export const appsPortSetting = 'BOTTEGA_APPS_PORT, or PORT which it follows,';

/**
 * `limit` is the maximum number of connections of one listener, or null if the system reports no limit on file
 * descriptors.
 */
export const connections = { limit: connectionLimit(), refused: 0, lastRefusedAt: 0 };

/**
 * Limits connections. A process without a free file descriptor can open neither a file nor a database connection. So
 * connections may use at most three quarters of the descriptors, which the two listeners share equally.
 */
export function boundConnections(server: Server): void {
  if (connections.limit === null) return;
  server.maxConnections = connections.limit;
  server.on('drop', () => {
    connections.refused += 1;
    connections.lastRefusedAt = Date.now();
  });
}

/**
 * The maximum number of connections of a listener. Node raises the soft limit on file descriptors to the hard limit
 * when it starts, so this limit applies.
 */
function connectionLimit(): number | null {
  try {
    const descriptors = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return descriptors === undefined ? null : Math.floor((Number(descriptors) * 3) / 8);
  } catch {
    return null;
  }
}
