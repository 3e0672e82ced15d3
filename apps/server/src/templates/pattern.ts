/** One piece of a pattern: a character, an escape, a class or `.`, followed by its quantifier. */
const piece =
  /(\\[dDwWsS]|\\[^\p{L}\p{N}\s]|\[(?:[^\]\\[]|\\[dDwWsS]|\\[^\p{L}\p{N}])+\]|[^\\[\](){}|*+?^$])([*+?]|\{(\d{1,3})(?:(,)(\d{0,3}))?\})?/uy;

/**
 * Maximum number of pieces of variable length, and longest text. With these limits, the slowest match takes
 * milliseconds.
 */
const maxRepeats = 2;
export const longestMatched = 200;

type Piece = { fits: RegExp; min: number; max: number; quantifier: string };

/**
 * Returns why a pattern is refused, or null if it is allowed. Users' templates contain patterns that this process runs,
 * and a regular expression can be written so that a match takes years. So only a part of the language is allowed: no
 * groups, alternatives, references or look-around, and at most two pieces of variable length, on short texts. `^` and
 * `$` around the whole pattern are allowed but have no effect.
 */
export function whyNotPattern(pattern: string): string | null {
  try {
    const pieces = piecesOf(pattern);
    if (!pieces) return 'can contain characters, classes in brackets and quantifiers, but no groups or alternatives';
    const repeats = pieces.filter(({ quantifier }) => quantifier !== '' && quantifier !== '?').length;
    if (repeats > maxRepeats) return `can contain at most ${maxRepeats} quantifiers other than ?`;
    return pieces.every(({ min, max }) => min <= max) ? null : 'is not a valid regular expression';
  } catch {
    return 'is not a valid regular expression';
  }
}

/**
 * Whether the whole text matches. After each piece, it keeps all positions at which the match can be. A backtracking
 * engine would take twice as long for every further `a?` in a row.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > longestMatched) return false;
  const characters = [...text];
  let ends = new Set([0]);
  for (const { fits, min, max } of piecesOf(pattern) ?? []) {
    const inARow = runsOf(characters.map((character) => fits.test(character)));
    const next = new Set<number>();
    for (const end of ends) {
      const longest = Math.min(max, inARow[end] ?? 0);
      for (let count = min; count <= longest; count++) next.add(end + count);
    }
    ends = next;
  }
  return ends.has(characters.length);
}

/** Returns, for each position, how many characters from there on fit without interruption. */
function runsOf(fitting: boolean[]): number[] {
  const runs: number[] = new Array(fitting.length).fill(0);
  for (let at = fitting.length - 1; at >= 0; at--) runs[at] = fitting[at] ? (runs[at + 1] ?? 0) + 1 : 0;
  return runs;
}

/** Splits a pattern into pieces. Null if the pattern contains anything else. Throws if a class is not valid. */
function piecesOf(pattern: string): Piece[] | null {
  const inner = pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  const pieces: Piece[] = [];
  for (let at = 0; at < inner.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const match = piece.exec(inner);
    if (!match) return null;
    const [, one = '', quantifier = '', min = '', comma = '', max = ''] = match;
    pieces.push({ fits: new RegExp(`^${one}$`, 'u'), quantifier, ...timesOf(quantifier, { min, comma, max }) });
  }
  return pieces;
}

function timesOf(
  quantifier: string,
  { min, comma, max }: { min: string; comma: string; max: string },
): { min: number; max: number } {
  if (quantifier === '') return { min: 1, max: 1 };
  if (quantifier === '?') return { min: 0, max: 1 };
  if (quantifier === '*') return { min: 0, max: longestMatched };
  if (quantifier === '+') return { min: 1, max: longestMatched };
  const open = comma === '' ? Number(min) : longestMatched;
  return { min: Number(min), max: max === '' ? open : Number(max) };
}
