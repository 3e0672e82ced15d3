import { Failure } from '../terminal/failure.ts';

/** Characters of JSON: more than any list of the service has, and less than would fill the memory. */
const most = 256 * 1024 * 1024;

/** All of a list. One whose pages have no end is given up. */
export async function gather<Item>(list: AsyncIterable<Item>, count = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const found: Item[] = [];
  let size = 0;
  for await (const item of list) {
    if (found.length >= count) break;
    size += JSON.stringify(item).length;
    if (size > most) throw new Failure('failed', 'The service returns an endless list.');
    found.push(item);
  }
  return found;
}
