/**
 * For work on items of many accounts, one after the other: a failure of one is no reason to leave out the others. What failed is thrown
 * once all have had their turn.
 */
export async function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed, the others are done`);
}
