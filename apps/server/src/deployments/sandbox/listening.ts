import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Place } from './driver.ts';

/** A listening socket of the service. A run gets its descriptor but never its path. */
export type Listening = {
  /** The descriptor for the run. */
  descriptor: number;
  place: Place;
  /** Call this after the descriptor was passed on. From then on, only the run accepts connections. */
  handedOver(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens a listening socket. Its path is in a directory that no sandbox sees, so that nobody can replace the socket. The
 * directory is reached through a descriptor, because a socket address has at most 107 bytes, and the path of a data
 * directory may be longer.
 */
export async function openListening(jobDirectory: string): Promise<Listening> {
  const directory = await open(join(jobDirectory, 'run'), constants.O_RDONLY | constants.O_DIRECTORY);
  const [made, kept] = ['new', 's'].map((name) => `/proc/self/fd/${directory.fd}/${name}`) as [string, string];
  const server = createServer();
  const close = async () => {
    await rm(kept, { force: true });
    await directory.close();
  };
  try {
    await rm(made, { force: true });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(made, resolve));
    // Closing the server removes the path at which it was created, so the socket is moved first.
    await rename(made, kept);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    descriptor: descriptorOf(server),
    place: { path: kept },
    handedOver: () => new Promise((resolve) => server.close(() => resolve())),
    close,
  };
}

/** The descriptor of a server. Node exposes it only through this property. */
const descriptorOf = (server: Server): number => (server as unknown as { _handle: { fd: number } })._handle.fd;
