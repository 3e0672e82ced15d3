/** Counts per key. A key with a count of zero takes no memory. */
export type KeyedCounter = {
  of(key: string): number;
  has(key: string): boolean;
  add(key: string): void;
  remove(key: string): void;
};

export function createKeyedCounter(): KeyedCounter {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    has: (key) => counts.has(key),
    add: (key) => void counts.set(key, of(key) + 1),
    remove(key) {
      if (of(key) > 1) counts.set(key, of(key) - 1);
      else counts.delete(key);
    },
  };
}
