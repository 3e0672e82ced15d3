export type Random = {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from 0 to below the limit. */
  below(limit: number): number;
  oneOf<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
};

/** The same numbers for the same seed (mulberry32), so that a run that found something can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    oneOf<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((one, other) => one.at - other.at)
        .map(({ item }) => item),
  };
}
