import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Place } from './driver.ts';

/** A listening socket that the service made, for a run that gets it as a descriptor and never learns its name. */
export type Listening = {
  /** To be handed to the run. */
  descriptor: number;
  place: Place;
  /** From now on only who has got the descriptor answers. */
  handedOver(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Its name is in a directory that no sandbox sees, so that nobody can put something else in its place. We reach that
 * directory by a descriptor: the address of a socket has 107 bytes at most, and a data directory may be anywhere.
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
    // Closing the server removes the name that it was made by.
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

/** Node tells it by this property alone. */
const descriptorOf = (server: Server): number => (server as unknown as { _handle: { fd: number } })._handle.fd;
