/** Of however many things there are at the time, the next few: all of them have had their turn after some calls. */
export function inTurn<Item>(size: number): (items: readonly Item[]) => Item[] {
  let at = 0;
  return (items) => {
    if (at >= items.length) at = 0;
    const slice = items.slice(at, at + size);
    at += size;
    return slice;
  };
}
