import type { KeyedQueue } from './keyed-queue.ts';

/** The outcome of each item of a group, in the order of the items. */
export type Outcomes<Result> = PromiseSettledResult<Result>[];

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(reason: unknown): void };

/**
 * Groups items by key. Items that arrive while a group with the same key is being handled form the next group. A single
 * item does not wait for others. Under load, a group contains everything that arrived during the previous turn.
 */
export function keyedBatcher<Item, Result>(
  queue: KeyedQueue,
  { run, max }: { run: (key: string, items: Item[]) => Promise<Outcomes<Result>>; max: number },
): (key: string, item: Item) => Promise<Result> {
  const open = new Map<string, Waiting<Item, Result>[]>();

  async function runGroup(key: string, group: Waiting<Item, Result>[]): Promise<void> {
    // Items that arrive from here on join the next group.
    if (open.get(key) === group) open.delete(key);
    try {
      const outcomes = await run(
        key,
        group.map(({ item }) => item),
      );
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') group[index]?.resolve(outcome.value);
        else group[index]?.reject(outcome.reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const gathering = open.get(key);
      if (gathering && gathering.length < max) {
        gathering.push(waiting);
        return;
      }
      const group = [waiting];
      open.set(key, group);
      queue(key, () => runGroup(key, group)).catch((error: unknown) => {
        // The group's turn did not come in time.
        if (open.get(key) === group) open.delete(key);
        for (const { reject } of group) reject(error);
      });
    });
}
