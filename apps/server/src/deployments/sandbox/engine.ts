import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';

/** The address of an engine in the settings. */
export type EngineAddress = {
  /** A path, or `tcp://host:port`. */
  socket: string;
  /** Directory with `ca.pem`, `cert.pem` and `key.pem`, named as in Docker's own programs. */
  certificates: string | null;
};

/** The host of a remote engine. Null if the engine is on this machine, where it sees the service's files. */
export function remoteHost({ socket }: Pick<EngineAddress, 'socket'>): { host: string; port: number } | null {
  if (!socket.startsWith('tcp://')) return null;
  const { hostname, port } = new URL(socket);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 2376 };
}

const isLoopback = (host: string): boolean => /^(localhost|127\..*|::1)$/.test(host);

/** The client is loaded on demand: it includes every way to reach an engine, and most nodes have no engine. */
export async function connectEngine(address: EngineAddress): Promise<Docker> {
  const { default: Engine } = await import('dockerode');
  const remote = remoteHost(address);
  if (!remote) return new Engine({ socketPath: address.socket.replace(/^unix:\/\//, '') });
  const { certificates } = address;
  if (certificates !== null) {
    const read = (name: string) => readFile(join(certificates, name));
    const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
    return new Engine({ ...remote, protocol: 'https', ca, cert, key });
  }
  // Without certificates, every client of the engine has root rights there. So the address must be local, such as the
  // end of a tunnel.
  if (!isLoopback(remote.host)) throw new Error(`${address.socket} needs BOTTEGA_CONTAINER_CERTS`);
  return new Engine({ ...remote, protocol: 'http' });
}
