import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mustBeName, ObjectMissingError, type ObjectStore, ObjectStoreError } from './object-store.ts';

/** Suffix of files that are being written. */
const draftEnd = '.part';

const isDraft = (name: string): boolean => name.endsWith(draftEnd);

/** A store in a directory. With `creates`, the directory is created if it is missing. */
export function directoryStore(directory: string, { creates = false } = {}): ObjectStore {
  const pathOf = (name: string): string => join(directory, mustBeName(name));
  const prepare = async (): Promise<void> => {
    if (creates) await mkdir(directory, { recursive: true, mode: 0o700 }).catch(rethrow);
  };
  return {
    addressOf: pathOf,
    async put(name, source) {
      await prepare();
      return write(directory, pathOf(name), source);
    },
    async *get(name) {
      const file = await open(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new ObjectMissingError(error.message, { cause: error });
        return rethrow(error);
      });
      yield* file.createReadStream({ highWaterMark: 256 * 1024 });
    },
    async *list() {
      await prepare();
      for (const entry of await readdir(directory, { withFileTypes: true }).catch(rethrow)) {
        if (!entry.isFile() || isDraft(entry.name)) continue;
        yield { name: entry.name, size: (await stat(pathOf(entry.name)).catch(rethrow)).size };
      }
    },
    delete: (name) => rm(pathOf(name), { force: true }).catch(rethrow),
    async deleteUnfinished(isOurs, olderThanMs) {
      await prepare();
      for (const name of (await readdir(directory).catch(rethrow)).filter(isDraft)) {
        if (!isOurs(name.slice(0, -draftEnd.length))) continue;
        const { mtimeMs } = await stat(pathOf(name)).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs > olderThanMs) await rm(pathOf(name), { force: true });
      }
    },
  };
}

function rethrow(error: Error): never {
  throw new ObjectStoreError(error.message, { cause: error });
}

async function write(directory: string, path: string, source: AsyncIterable<Buffer>): Promise<number> {
  const draft = path + draftEnd;
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
  try {
    await pipeline(Readable.from(source, { objectMode: false }), file);
    await rename(draft, path);
    await syncDirectory(directory);
    return file.bytesWritten;
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new ObjectStoreError(
        `${draft} exists: another process is writing there, or was interrupted. If none is running, delete the file.`,
      );
    }
    await rm(draft, { force: true });
    throw /^(open|write|fsync|rename)$/.test(syscall ?? '') ? new ObjectStoreError(message, { cause: error }) : error;
  }
}

/** A new name is durable only after its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
