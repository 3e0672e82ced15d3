import type { Budget } from './budget.ts';

type Placed = { path: string };

/** Number of items that are sorted or merged between two pauses. */
const runLength = 1_000;

/**
 * Sorts like `sort`, but in slices. Sorting a hundred thousand paths in one step would block the event loop for
 * seconds.
 */
export async function sortByPath<Item extends Placed>(items: readonly Item[], budget: Budget): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += runLength) {
    await budget.maybeYield();
    runs.push(items.slice(at, at + runLength).sort((one, other) => (one.path < other.path ? -1 : 1)));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], budget));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item extends Placed>(left: Item[], right: Item[], budget: Budget): Promise<Item[]> {
  const merged: Item[] = [];
  const rest = { left: left.values(), right: right.values() };
  let [one, other] = [rest.left.next().value, rest.right.next().value];
  while (one || other) {
    if (merged.length % runLength === 0) await budget.maybeYield();
    if (one && (!other || one.path <= other.path)) {
      merged.push(one);
      one = rest.left.next().value;
    } else if (other) {
      merged.push(other);
      other = rest.right.next().value;
    }
  }
  return merged;
}
