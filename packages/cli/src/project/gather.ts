import { Failure } from '../terminal/failure.ts';

/**
 * Largest list, in characters of JSON. It is more than any list of the service has, and less than would fill the
 * memory.
 */
const max = 256 * 1024 * 1024;

/** Returns all items of a list. Gives up if the list does not end. */
export async function gather<Item>(list: AsyncIterable<Item>, count = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const items: Item[] = [];
  let size = 0;
  for await (const item of list) {
    if (items.length >= count) break;
    size += JSON.stringify(item).length;
    if (size > max) throw new Failure('failed', 'The service returns an endless list.');
    items.push(item);
  }
  return items;
}
