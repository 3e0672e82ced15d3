import type { KeyedQueue } from './keyed-queue.ts';

/** What becomes of each item of a group, in its order. */
export type Outcomes<Result> = PromiseSettledResult<Result>[];

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(reason: unknown): void };

/**
 * Items that arrive while another turn of their key is under way share the next turn. A lone one does not wait for
 * company; under load, a group grows with what arrives while the one before it is at work.
 */
export function keyedBatcher<Item, Result>(
  queue: KeyedQueue,
  { run, most }: { run: (key: string, items: Item[]) => Promise<Outcomes<Result>>; most: number },
): (key: string, item: Item) => Promise<Result> {
  const open = new Map<string, Waiting<Item, Result>[]>();

  async function runGroup(key: string, group: Waiting<Item, Result>[]): Promise<void> {
    // Whoever arrives from here on is in the next group.
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
      if (gathering && gathering.length < most) {
        gathering.push(waiting);
        return;
      }
      const group = [waiting];
      open.set(key, group);
      queue(key, () => runGroup(key, group)).catch((error: unknown) => {
        // Its turn did not come in time.
        if (open.get(key) === group) open.delete(key);
        for (const { reject } of group) reject(error);
      });
    });
}
