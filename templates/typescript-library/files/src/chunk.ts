/** Splits a list into lists of `size`; the last may be shorter. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  if (!Number.isInteger(size) || size < 1) throw new RangeError('size must be a whole number above 0');
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
