import type { Budget } from '../concurrency/budget.ts';

/** Yielded by `walk` between matches, so that the caller can pause or stop. */
export const turn = -1;

/** Number of characters that are searched between two pauses. */
export const stride = 16_384;

/**
 * The longest needle for the built-in search, which is the fastest. For so few characters, its worst case takes a small
 * multiple of the time for reading the text. For long needles, its worst case is quadratic, and a malicious pair of
 * text and needle can take an hour.
 */
const longestBuiltIn = 32;

/**
 * Yields the positions of a needle in a text, in order. The time is linear in the lengths of both. The search uses
 * Knuth-Morris-Pratt, and finds the needle's first characters with the built-in search. If `overlapping` is false, it
 * yields only the first of overlapping matches.
 */
export function* walk(text: string, needle: string, { overlapping }: { overlapping: boolean }): Generator<number> {
  if (needle === '' || needle.length > text.length) return;
  const beginning = needle.slice(0, longestBuiltIn);
  const next = yield* fallbacksOf(needle);
  // `matched`: number of characters of the needle directly before `at`.
  let [at, matched, turnAt] = [0, 0, stride];
  while (text.length - at >= needle.length - matched) {
    if (at >= turnAt) {
      turnAt = at + stride;
      yield turn;
    }
    const end = Math.min(at + stride, text.length);
    if (matched === 0) {
      const index = text.slice(at, end + beginning.length - 1).indexOf(beginning);
      at = index < 0 ? end : at + index + beginning.length;
      matched = index < 0 ? 0 : beginning.length;
    } else {
      do {
        const code = text.charCodeAt(at++);
        while (matched >= 0 && needle.charCodeAt(matched) !== code) matched = next[matched] ?? -1;
        matched++;
      } while (at < end && matched > 0 && matched < needle.length);
    }
    if (matched < needle.length) continue;
    yield at - matched;
    matched = overlapping ? (next[matched] ?? 0) : 0;
  }
}

/**
 * The failure table of Knuth-Morris-Pratt: how much of the needle still matches if the character at `index` does not.
 * The last entry says how much of a match can be the beginning of the next match.
 */
function* fallbacksOf(needle: string): Generator<number, Int32Array> {
  const next = new Int32Array(needle.length + 1);
  next[0] = -1;
  let border = -1;
  for (let index = 0; index < needle.length; ) {
    const code = needle.charCodeAt(index);
    while (border >= 0 && needle.charCodeAt(border) !== code) border = next[border] ?? -1;
    index++;
    border++;
    // If the character at the fallback is the same, it would not match either, so its own fallback is used. This limits
    // the number of steps back at one position.
    const isSame = index < needle.length && needle.charCodeAt(index) === needle.charCodeAt(border);
    next[index] = isSame ? (next[border] ?? -1) : border;
    if (index % stride === 0) yield turn;
  }
  return next;
}

/** Returns the first `max` positions of matches that do not overlap. Pauses during the search. */
export async function findAll(
  text: string,
  needle: string,
  { max, maybeYield }: { max: number } & Pick<Budget, 'maybeYield'>,
): Promise<number[]> {
  const positions: number[] = [];
  for (const position of walk(text, needle, { overlapping: false })) {
    if (position === turn) await maybeYield();
    else if (positions.push(position) >= max) break;
  }
  return positions;
}

/**
 * Returns the position of the match that is nearest to `near`. Null if there is no match. Undefined if the budget ran
 * out.
 */
export async function findNearest(
  text: string,
  needle: string,
  { near, budget }: { near: number; budget: Budget },
): Promise<number | null | undefined> {
  let before: number | null = null;
  for (const position of walk(text, needle, { overlapping: true })) {
    if (position === turn) {
      if (!budget.affords({ bytes: stride })) return undefined;
      await budget.maybeYield();
    } else if (position < near) before = position;
    else return before !== null && near - before <= position - near ? before : position;
  }
  return before;
}

type Replacing = { positions: readonly number[]; length: number; wanted: string };

/** Replaces `length` characters at each of these positions. */
export function replaceAt(text: string, { positions, length, wanted }: Replacing): string {
  const ends = [0, ...positions.map((position) => position + length)];
  return ends.map((from, index) => text.slice(from, positions[index])).join(wanted);
}
