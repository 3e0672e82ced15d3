import { createPace } from '../../concurrency/pace.ts';

/** As `JSON.stringify` of an object with one long list, whose entries are written one after the other, with rests. */
export async function jsonInSlices<Key extends string>(
  value: { [key in Key]: readonly unknown[] },
  listKey: Key,
): Promise<string> {
  const { [listKey]: list, ...others } = value;
  const { breathe } = createPace();
  const entries: string[] = [];
  for (const entry of list) {
    await breathe();
    entries.push(JSON.stringify(entry));
  }
  const head = JSON.stringify(others).slice(0, -1);
  return `${head}${head === '{' ? '' : ','}${JSON.stringify(listKey)}:[${entries.join(',')}]}`;
}
