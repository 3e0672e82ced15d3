/**
 * A store of objects, which are written once, as a whole, and are read as streams. The name of an object is one segment
 * of a path.
 */
export type ObjectStore = {
  /** Returns the address of an object as an operator would write it. */
  addressOf(name: string): string;
  /**
   * Stores an object and returns its size. The object appears under its name, or replaces the previous object of that
   * name, only when all of it is durable. Errors of the source are thrown.
   */
  put(name: string, source: AsyncIterable<Buffer>): Promise<number>;
  get(name: string): AsyncGenerator<Buffer>;
  /** Lists objects in no particular order. */
  list(): AsyncGenerator<StoredObject>;
  /** Also succeeds if the object does not exist. */
  delete(name: string): Promise<void>;
  /** Deletes unfinished objects that killed processes have left, if nothing was added to them for this long. */
  deleteUnfinished(isOurs: (name: string) => boolean, olderThanMs: number): Promise<void>;
};

export type StoredObject = { name: string; size: number };

/** An error of the store and not of the stored data. The message is one line for the operator. */
export class ObjectStoreError extends Error {}

/** The store responds, but has no object with that name. */
export class ObjectMissingError extends ObjectStoreError {}

export function mustBeName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)) return name;
  throw new ObjectStoreError(`${JSON.stringify(name)} is not a valid name for an object`);
}
