/**
 * The shortest edit between two sequences of numbers: Myers' O(ND) algorithm in linear space ("An O(ND) Difference
 * Algorithm and Its Variations", 1986). From both corners of the edit graph the furthest reaching paths are extended by
 * one edit at a time until they meet. The meeting point splits the problem in two.
 *
 * Two bounds keep it fast. A split that needs more than `maxEdits` is made at the furthest point reached instead of the
 * best one; the result is correct but may be longer than necessary. After `maxSteps` the rest counts as replaced. The
 * bounds are counts and not times, so that the same texts always give the same diff.
 */
const maxEdits = 400;
const maxSteps = 500_000;

type Box = { aLow: number; aHigh: number; bLow: number; bHigh: number };
type Search = { a: Int32Array; b: Int32Array; forward: Int32Array; backward: Int32Array; steps: number };

/**
 * Marks the positions that are removed from `a` and added in `b`. The other positions match in order. Values are below
 * `values`.
 */
export function markChanges(a: Int32Array, b: Int32Array, values: number): [removed: Uint8Array, added: Uint8Array] {
  const removed = new Uint8Array(a.length);
  const added = new Uint8Array(b.length);
  // A value that only one side has cannot match. Skipping these makes a rewritten file nearly free.
  const aIndexes = sharedIndexes(a, b, values, removed);
  const bIndexes = sharedIndexes(b, a, values, added);
  const search: Search = {
    a: aIndexes.map((index) => a[index] as number),
    b: bIndexes.map((index) => b[index] as number),
    forward: new Int32Array(aIndexes.length + bIndexes.length + 3),
    backward: new Int32Array(aIndexes.length + bIndexes.length + 3),
    steps: 0,
  };
  const boxes: Box[] = [{ aLow: 0, aHigh: aIndexes.length, bLow: 0, bHigh: bIndexes.length }];
  for (let box = boxes.pop(); box; box = boxes.pop()) {
    trim(search, box);
    const middle = box.aLow < box.aHigh && box.bLow < box.bHigh ? findSplit(search, box) : null;
    if (middle) {
      const [x, y] = middle;
      boxes.push({ ...box, aHigh: box.aLow + x, bHigh: box.bLow + y });
      boxes.push({ ...box, aLow: box.aLow + x, bLow: box.bLow + y });
    } else {
      for (let i = box.aLow; i < box.aHigh; i++) removed[aIndexes[i] as number] = 1;
      for (let j = box.bLow; j < box.bHigh; j++) added[bIndexes[j] as number] = 1;
    }
  }
  return [removed, added];
}

function sharedIndexes(own: Int32Array, other: Int32Array, values: number, changed: Uint8Array): Int32Array {
  const inOther = new Uint8Array(values);
  for (const value of other) inOther[value] = 1;
  const indexes = new Int32Array(own.length);
  let count = 0;
  for (let index = 0; index < own.length; index++) {
    if (inOther[own[index] as number]) indexes[count++] = index;
    else changed[index] = 1;
  }
  return indexes.subarray(0, count);
}

function trim({ a, b }: Search, box: Box): void {
  while (box.aLow < box.aHigh && box.bLow < box.bHigh && a[box.aLow] === b[box.bLow]) {
    box.aLow++;
    box.bLow++;
  }
  while (box.aHigh > box.aLow && box.bHigh > box.bLow && a[box.aHigh - 1] === b[box.bHigh - 1]) {
    box.aHigh--;
    box.bHigh--;
  }
}

/**
 * A point on a shortest path, relative to the box. Null after all steps. The box is trimmed and has two sides, so the
 * path has at least two edits and the point is not a corner. So every split makes progress.
 *
 * Diagonals `k = x - y` run from -m to n. The backward search counts from the far corner, where diagonal `k` is `n - m
 * - k`.
 */
function findSplit(search: Search, box: Box): [x: number, y: number] | null {
  const { a, b, forward, backward } = search;
  const { aLow, aHigh, bLow, bHigh } = box;
  const n = aHigh - aLow;
  const m = bHigh - bLow;
  const delta = n - m;
  const isOdd = delta % 2 !== 0;
  const origin = m + 1;
  forward[origin + 1] = 0;
  backward[origin + 1] = 0;
  for (let edits = 0; search.steps < maxSteps; edits++) {
    const low = edits <= m ? -edits : -m + ((edits - m) % 2);
    const high = edits <= n ? edits : n - ((edits - n) % 2);
    for (let k = low; k <= high; k += 2) {
      const start = startOn(k, edits, forward, n, m);
      const end = Math.min(n, m + k);
      let x = start;
      while (x < end && a[aLow + x] === b[bLow + x - k]) x++;
      forward[origin + k] = x;
      search.steps += x - start + 1;
      if (isOdd && Math.abs(delta - k) < edits && x + (backward[origin + delta - k] as number) >= n) return [x, x - k];
    }
    for (let k = low; k <= high; k += 2) {
      const start = startOn(k, edits, backward, n, m);
      const end = Math.min(n, m + k);
      let x = start;
      while (x < end && a[aHigh - 1 - x] === b[bHigh - 1 - x + k]) x++;
      backward[origin + k] = x;
      search.steps += x - start + 1;
      const met = !isOdd && Math.abs(delta - k) <= edits && x + (forward[origin + delta - k] as number) >= n;
      if (met) return [n - x, m - x + k];
    }
    if (edits >= maxEdits) return furthest(search, low, high, n, m);
  }
  return null;
}

/**
 * The point at which one more edit, from the better of the two neighbours, enters diagonal `k`. A move across the edge
 * of the box stops at the edge, because reaching that point takes no more edits than the move.
 */
function startOn(k: number, edits: number, reached: Int32Array, n: number, m: number): number {
  const below = reached[m + k] as number;
  const above = reached[m + k + 2] as number;
  const isDown = k === -edits || k === -m || (k !== edits && k !== n && below < above);
  return Math.min(isDown ? above : below + 1, n, m + k);
}

/** The point with the most progress in either search. */
function furthest({ forward, backward }: Search, low: number, high: number, n: number, m: number): [number, number] {
  let best: [number, number] = [0, 0];
  let progress = 0;
  for (let k = low; k <= high; k += 2) {
    const ahead = forward[m + 1 + k] as number;
    const behind = backward[m + 1 + k] as number;
    if (2 * ahead - k > progress) {
      progress = 2 * ahead - k;
      best = [ahead, ahead - k];
    }
    if (2 * behind - k > progress) {
      progress = 2 * behind - k;
      best = [n - behind, m - (behind - k)];
    }
  }
  return best;
}
