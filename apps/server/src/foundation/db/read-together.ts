import { keyedBatcher } from '../concurrency/batcher.ts';
import { createSemaphore } from '../concurrency/semaphore.ts';

/**
 * Reads that arrive while a query runs share the next query. A single read is sent immediately. So under load, one
 * query serves many reads. It costs little more than a query for one read, because most of the cost of a small query is
 * the round trip.
 */
export function readTogether<Key, Row>(
  read: (keys: Key[]) => Promise<Row[]>,
  { queries, max }: { queries: number; max: number },
): (key: Key) => Promise<Row> {
  const inTurn = createSemaphore(queries);
  const run = async (_: string, keys: Key[]) =>
    (await read(keys)).map((value) => ({ status: 'fulfilled', value }) as const);
  const find = keyedBatcher((_, task) => inTurn(task), { run, max });
  return (key) => find('', key);
}
