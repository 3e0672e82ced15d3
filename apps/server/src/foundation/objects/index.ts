import { basename, dirname, resolve } from 'node:path';
import { directoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { parseS3Address, type S3Settings } from './s3-client.ts';
import { s3Store } from './s3-store.ts';

export { ObjectMissingError, type ObjectStore, ObjectStoreError } from './object-store.ts';
export type { S3Settings } from './s3-client.ts';

export const isS3Address = (address: string): boolean => address.startsWith('s3://');

/** Opens a directory, which is created if it is missing, or `s3://bucket/prefix`. */
export const openObjectStore = (address: string, s3: S3Settings): ObjectStore =>
  isS3Address(address) ? s3Store(address, s3) : directoryStore(address, { creates: true });

/** Locates one object in a store, such as a file in an existing directory. */
export function placeOf(address: string, s3: S3Settings): { store: ObjectStore; name: string } {
  if (!isS3Address(address)) {
    const path = resolve(address);
    return { store: directoryStore(dirname(path)), name: basename(path) };
  }
  const { bucket, prefix } = parseS3Address(address);
  const path = `${bucket}/${prefix.slice(0, -1)}`;
  return { store: s3Store(`s3://${dirname(path)}`, s3), name: basename(path) };
}
