/** Objects are written once, as a whole, and read as streams. A name is one segment of a path. */
export type ObjectStore = {
  /** Returns the address as an operator writes it. */
  addressOf(name: string): string;
  /**
   * Stores an object. It appears under its name, or replaces the old one, once all of it is durable. Returns its size.
   * Errors of the source are thrown.
   */
  put(name: string, source: AsyncIterable<Buffer>): Promise<number>;
  get(name: string): AsyncGenerator<Buffer>;
  /** In no defined order. */
  list(): AsyncGenerator<StoredObject>;
  /** Succeeds if there is none. */
  delete(name: string): Promise<void>;
  /** Deletes what killed processes had begun to write, if nothing was added for this long. */
  deleteUnfinished(isOurs: (name: string) => boolean, olderThanMs: number): Promise<void>;
};

export type StoredObject = { name: string; size: number };

/** An error of the store, not of what is stored. The message is one line for the operator. */
export class ObjectStoreError extends Error {}

/** The store answers, but has no object of that name. */
export class ObjectMissingError extends ObjectStoreError {}

export function mustBeName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)) return name;
  throw new ObjectStoreError(`${JSON.stringify(name)} is not a valid name for an object`);
}
