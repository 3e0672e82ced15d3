import { expect, test } from 'vitest';
import { readTogether } from './read-together.ts';

/** A database that answers when the test says so, in order. */
function slowReads(limits = { queries: 1, max: 3 }) {
  const queries: { keys: number[]; answer(): void; fail(): void }[] = [];
  const read = readTogether(
    (keys: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const answer = () => resolve(keys.map((key) => `row ${key}`));
        queries.push({ keys, answer, fail: () => reject(new Error('away')) });
      }),
    limits,
  );
  return { queries, read };
}

const asked = (queries: { keys: number[] }[]) => queries.map(({ keys }) => keys);

test('a lone read is sent at once; reads that come meanwhile share the next query, up to the limit', async () => {
  const { queries, read } = slowReads();
  const rows = [1, 2, 3, 4, 5].map(read);
  expect(asked(queries)).toEqual([[1]]);
  queries[0]?.answer();
  await rows[0];
  await expect.poll(() => asked(queries)).toEqual([[1], [2, 3, 4]]);
  queries[1]?.answer();
  await expect.poll(() => asked(queries)).toEqual([[1], [2, 3, 4], [5]]);
  queries[2]?.answer();
  expect(await Promise.all(rows)).toEqual(['row 1', 'row 2', 'row 3', 'row 4', 'row 5']);
});

test('a query that hangs holds up only its own reads if two queries may run at once', async () => {
  const { queries, read } = slowReads({ queries: 2, max: 3 });
  void read(1);
  const second = read(2);
  queries[1]?.answer();
  expect(await second).toBe('row 2');
  const third = read(3);
  await expect.poll(() => queries.length).toBe(3);
  queries[2]?.answer();
  expect(await third).toBe('row 3');
});

test('a query that fails fails the reads that share it, and none after them', async () => {
  const { queries, read } = slowReads();
  const first = read(1);
  const shared = Promise.allSettled([read(2), read(3)]);
  queries[0]?.answer();
  await first;
  await expect.poll(() => queries.length).toBe(2);
  queries[1]?.fail();
  expect((await shared).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = read(4);
  queries[2]?.answer();
  expect(await next).toBe('row 4');
});
