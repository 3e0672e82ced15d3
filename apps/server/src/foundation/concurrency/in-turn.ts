/**
 * Creates a function that returns the next `size` of the given items on each call, so every item gets its turn after
 * some calls.
 */
export function inTurn<Item>(size: number): (items: readonly Item[]) => Item[] {
  let at = 0;
  return (items) => {
    if (at >= items.length) at = 0;
    const slice = items.slice(at, at + size);
    at += size;
    return slice;
  };
}
