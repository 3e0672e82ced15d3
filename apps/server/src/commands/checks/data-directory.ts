import { constants, existsSync } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { broken, type Check, ok } from './check.ts';

type Place = {
  check: Check;
  /** The directory that the other checks may write to. `leave` restores its former state. */
  directory: string;
  leave(): Promise<void>;
};

const nothing = async () => undefined;

/**
 * Finds a directory to which the checks may write. Before the first start, there is no data directory. In this case, a
 * temporary directory next to its location is used.
 */
export async function findPlace(dataDir: string): Promise<Place> {
  const name = 'data directory';
  const nearest = nearestExisting(dataDir);
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
    if (nearest === dataDir) return { check: ok(name, dataDir), directory: dataDir, leave: nothing };
    const directory = await mkdtemp(join(nearest, '.bottega-doctor-'));
    const check = ok(name, `${dataDir} will be created at the first start`);
    return { check, directory, leave: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }) };
  } catch (error) {
    const remedy = 'Make it writable for the user that runs Bottega, or set BOTTEGA_DATA_DIR to another directory.';
    const check = broken(name, `${nearest} cannot be written to: ${(error as NodeJS.ErrnoException).code}`, remedy);
    return { check, directory: nearest, leave: nothing };
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
