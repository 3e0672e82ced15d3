import { Readable } from 'node:stream';
import { ObjectMissingError, openObjectStore, type S3Settings } from '../../foundation/objects/index.ts';

const quickly = { patienceMs: 1, timeoutMs: 3_000 };
const neverThere = 'is-it-there';

/**
 * Returns a function that tells the operator why the bucket cannot be read. It returns null if the bucket can be read,
 * and never writes to it.
 */
export function watchBucket(address: string, s3: S3Settings): () => Promise<string | null> {
  const store = openObjectStore(address, { ...s3, ...quickly });
  return async () => {
    try {
      await store.get(neverThere).next();
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) return (error as Error).message;
    }
    return null;
  };
}

/** Tests whether an object can be written, read and deleted, as builds and cleaning do. */
export async function tryBucket(address: string, s3: S3Settings): Promise<string | null> {
  const store = openObjectStore(address, { ...s3, ...quickly });
  const name = `bottega-doctor-${process.pid}`;
  try {
    await store.put(name, Readable.from([Buffer.from(name)]));
    const content = Buffer.concat(await Array.fromAsync(store.get(name)));
    await store.delete(name);
    return content.toString() === name ? null : `${store.addressOf(name)} does not match what was written`;
  } catch (error) {
    return (error as Error).message;
  }
}
