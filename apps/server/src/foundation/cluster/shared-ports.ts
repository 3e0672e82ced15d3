import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../config/index.ts';
import { tellingOfPort } from './port-in-use.ts';

/** `reusePort`: other processes of this service listen there too, and the kernel shares new connections out among them. */
export type ListenAt = { port: number; host: string; reusePort: boolean };

/** Every listener that clients reach is opened here. Returns its port. */
export async function listenAt(server: Server, at: ListenAt): Promise<number> {
  boundConnections(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  return (server.address() as AddressInfo).port;
}

/** Linux and the BSDs share a port among processes. Elsewhere a service is one process. */
export async function canSharePorts(): Promise<boolean> {
  const first = createServer();
  const second = createServer();
  const at = { port: 0, host: '127.0.0.1', reusePort: true };
  try {
    await listenAt(second, { ...at, port: await listenAt(first, at) });
    // macOS has the option, and gives all connections to one of the sockets.
    return process.platform !== 'darwin';
  } catch {
    return false;
  } finally {
    for (const server of [first, second]) server.close();
  }
}

/**
 * A port that is shared can be opened by another service of the same user too, which would get half of our clients. So the
 * primary opens each one for itself first, which fails where anybody has it.
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

/** `limit`: connections of one listener; null where the system does not tell how many descriptors a process has. */
export const connections = { limit: mostConnections(), refused: 0, lastRefusedAt: 0 };

/**
 * A process without a free descriptor can open neither a file nor a connection to the database. So it has fewer
 * connections than descriptors: a quarter stays free, and the two listeners share the rest.
 */
export function boundConnections(server: Server): void {
  if (connections.limit === null) return;
  server.maxConnections = connections.limit;
  server.on('drop', () => {
    connections.refused += 1;
    connections.lastRefusedAt = Date.now();
  });
}

/** Node raises the soft limit to the hard one when it starts. */
function mostConnections(): number | null {
  try {
    const descriptors = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return descriptors === undefined ? null : Math.floor((Number(descriptors) * 3) / 8);
  } catch {
    return null;
  }
}
