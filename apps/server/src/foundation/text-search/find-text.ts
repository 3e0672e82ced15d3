import type { Budget } from '../concurrency/budget.ts';

/** What `walk` yields between places: whoever walks may breathe here, or give up. */
export const turn = -1;

/** So many characters are looked at between two turns. */
export const stride = 16_384;

/**
 * The built-in search is the fastest, and for so few characters its worst case is a small multiple of the text. It is quadratic
 * for long ones: an hour for a text and a needle that are made for it.
 */
const longestBuiltIn = 32;

/**
 * The places of a needle in a text, in order, in time linear in both, whatever they are: Knuth, Morris and Pratt, where
 * the built-in search finds the needle's first characters. Overlapping places are all told, or the first of them alone.
 */
export function* walk(text: string, needle: string, { overlapping }: { overlapping: boolean }): Generator<number> {
  if (needle === '' || needle.length > text.length) return;
  const beginning = needle.slice(0, longestBuiltIn);
  const next = yield* fallbacksOf(needle);
  // So many characters of the needle stand before `at`.
  let [at, matched, turnAt] = [0, 0, stride];
  while (text.length - at >= needle.length - matched) {
    if (at >= turnAt) {
      turnAt = at + stride;
      yield turn;
    }
    const end = Math.min(at + stride, text.length);
    if (matched === 0) {
      const found = text.slice(at, end + beginning.length - 1).indexOf(beginning);
      at = found < 0 ? end : at + found + beginning.length;
      matched = found < 0 ? 0 : beginning.length;
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
 * How much of the needle still stands before a place where the character behind `index` of them does not fit; at the
 * end, how much of a found needle another may begin with.
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
    // The same character would not fit there either; this keeps the steps back at one place few.
    const isSame = index < needle.length && needle.charCodeAt(index) === needle.charCodeAt(border);
    next[index] = isSame ? (next[border] ?? -1) : border;
    if (index % stride === 0) yield turn;
  }
  return next;
}

/** The first places, none of which overlap, breathing. */
export async function findAll(
  text: string,
  needle: string,
  { most, breathe }: { most: number } & Pick<Budget, 'breathe'>,
): Promise<number[]> {
  const places: number[] = [];
  for (const place of walk(text, needle, { overlapping: false })) {
    if (place === turn) await breathe();
    else if (places.push(place) >= most) break;
  }
  return places;
}

/** The place that is nearest to another; null: there is none, undefined: the budget did not go that far. */
export async function findNearest(
  text: string,
  needle: string,
  { near, budget }: { near: number; budget: Budget },
): Promise<number | null | undefined> {
  let before: number | null = null;
  for (const place of walk(text, needle, { overlapping: true })) {
    if (place === turn) {
      if (!budget.affords({ bytes: stride })) return undefined;
      await budget.breathe();
    } else if (place < near) before = place;
    else return before !== null && near - before <= place - near ? before : place;
  }
  return before;
}

type Replacing = { places: readonly number[]; length: number; wanted: string };

/** The text with something else at these places, each of which is of this length. */
export function replaceAt(text: string, { places, length, wanted }: Replacing): string {
  const ends = [0, ...places.map((place) => place + length)];
  return ends.map((from, index) => text.slice(from, places[index])).join(wanted);
}
