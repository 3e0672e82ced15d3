/** Things that are written once, whole, and read as streams. A name is one part of a path. */
export type ObjectStore = {
  /** As an operator writes it. */
  addressOf(name: string): string;
  /**
   * Appears under its name when all of it is there and lasting, in place of one that was; until then there is none, or the
   * former one. Answers with its size. What the source throws is thrown.
   */
  put(name: string, source: AsyncIterable<Buffer>): Promise<number>;
  get(name: string): AsyncGenerator<Buffer>;
  /** In no order that one could rely on. */
  list(): AsyncGenerator<StoredObject>;
  /** Also where there is none. */
  delete(name: string): Promise<void>;
  /** What processes that were killed had begun, where nothing has come to it for so long. */
  deleteUnfinished(isOurs: (name: string) => boolean, olderThanMs: number): Promise<void>;
};

export type StoredObject = { name: string; size: number };

/** What is wrong with the store, and not with what is stored; in one line for the operator. */
export class ObjectStoreError extends Error {}

/** The store answers, and has nothing under that name. */
export class ObjectMissingError extends ObjectStoreError {}

export function mustBeName(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)) return name;
  throw new ObjectStoreError(`${JSON.stringify(name)} is not a valid name for an object`);
}
