import { keyedBatcher } from '../concurrency/batcher.ts';
import { createSemaphore } from '../concurrency/semaphore.ts';

/**
 * Reads that are wanted while another query of theirs is under way share the next one. A lone one goes out at once;
 * under load a query serves many, and costs little more than for one: most of a small query's price is the way to the
 * database and back.
 */
export function readTogether<Key, Row>(
  read: (keys: Key[]) => Promise<Row[]>,
  { queries, most }: { queries: number; most: number },
): (key: Key) => Promise<Row> {
  const inTurn = createSemaphore(queries);
  const run = async (_: string, keys: Key[]) =>
    (await read(keys)).map((value) => ({ status: 'fulfilled', value }) as const);
  const find = keyedBatcher((_, task) => inTurn(task), { run, most });
  return (key) => find('', key);
}
