import { createPace } from '../../concurrency/pace.ts';

/**
 * Like `JSON.stringify` for an object with one long list, but serializes the entries of the list one by one, with
 * pauses.
 */
export async function jsonInSlices<Key extends string>(
  value: { [key in Key]: readonly unknown[] },
  listKey: Key,
): Promise<string> {
  const { [listKey]: list, ...others } = value;
  const { maybeYield } = createPace();
  const entries: string[] = [];
  for (const entry of list) {
    await maybeYield();
    entries.push(JSON.stringify(entry));
  }
  const head = JSON.stringify(others).slice(0, -1);
  return `${head}${head === '{' ? '' : ','}${JSON.stringify(listKey)}:[${entries.join(',')}]}`;
}
