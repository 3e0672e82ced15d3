/**
 * Handles items of many accounts, one after the other. If one fails, the others are still handled. The errors are
 * thrown at the end.
 */
export async function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed; the others succeeded`);
}
