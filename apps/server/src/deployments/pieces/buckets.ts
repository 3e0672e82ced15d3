import { createSemaphore } from '../../foundation/concurrency/semaphore.ts';
import {
  ObjectMissingError,
  type ObjectStore,
  ObjectStoreError,
  openObjectStore,
  type S3Settings,
} from '../../foundation/objects/index.ts';

/** How long the caller waits. A visitor waits only briefly. A build, a backup or a move waits for minutes. */
export type Patience = 'visitor' | 'work';

/**
 * Thrown if the object storage is unavailable. The message contains no secrets. The cause names the bucket, and is only
 * for the operator.
 */
export class ObjectsAwayError extends Error {
  override readonly name = 'ObjectsAwayError';
}

export type Buckets = {
  write(place: string, name: string, content: Buffer): Promise<void>;
  addressIn(place: string, name: string): string;
  read(address: string): Promise<Buffer>;
  delete(address: string): Promise<void>;
};

const waits = {
  visitor: { patienceMs: 1_000, timeoutMs: 3_000 },
  work: { patienceMs: 120_000, timeoutMs: 30_000 },
};
/** Pause before a bucket that failed is tried again, so that not every visitor has to wait for it. */
const restMs = 1_000;

/** Maximum number of concurrent reads, for any number of visitors. */
const maxReads = 32;

/** Opens all buckets that rows refer to. Each connection is opened when it is first needed. */
export function openBuckets(s3: S3Settings, patience: Patience): Buckets {
  const stores = new Map<string, ObjectStore>();
  const storeAt = (place: string): ObjectStore => {
    const store = stores.get(place) ?? openObjectStore(place, { ...waits[patience], ...s3 });
    stores.set(place, store);
    return store;
  };
  const partsOf = (address: string) => {
    const cut = address.lastIndexOf('/');
    return { store: storeAt(address.slice(0, cut)), name: address.slice(cut + 1) };
  };
  let restsUntil = 0;
  const turns = createSemaphore(maxReads);
  return {
    addressIn: (place, name) => storeAt(place).addressOf(name),
    async write(place, name, content) {
      await storeAt(place).put(name, once(content)).catch(asAway);
    },
    async read(address) {
      const { store, name } = partsOf(address);
      return turns(async () => {
        if (patience === 'visitor' && Date.now() < restsUntil) throw away(null);
        try {
          return Buffer.concat(await Array.fromAsync(store.get(name)));
        } catch (error) {
          if (!(error instanceof ObjectMissingError)) restsUntil = Date.now() + restMs;
          return asAway(error);
        }
      });
    },
    async delete(address) {
      const { store, name } = partsOf(address);
      await store.delete(name).catch(asAway);
    },
  };
}

/** For a `catch`: shows the actual cause, for an operator at a terminal. */
export function inOperatorsWords(error: unknown): never {
  throw error instanceof ObjectsAwayError && error.cause ? error.cause : error;
}

function asAway(error: unknown): never {
  throw error instanceof ObjectStoreError && !(error instanceof ObjectMissingError) ? away(error) : error;
}

const away = (cause: unknown) => new ObjectsAwayError('The object storage does not respond', { cause });

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
