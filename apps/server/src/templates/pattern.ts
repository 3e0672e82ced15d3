/** One piece: a character, an escape, a class or any character; then how often. */
const piece =
  /(?:\\[dDwWsS]|\\[^\p{L}\p{N}\s]|\[(?:[^\]\\[]|\\[dDwWsS]|\\[^\p{L}\p{N}])+\]|[^\\[\](){}|*+?^$])([*+?]|\{\d{1,3}(?:,\d{0,3})?\})?/uy;

/** With this many pieces of variable length and this many characters the worst search takes milliseconds. */
const mostRepeats = 2;
export const longestMatched = 200;

/**
 * Templates of users carry patterns that our process runs, and a pattern can be made to search for years. So there is
 * only a part of the language: no groups, alternatives, references or look-around, and at most two pieces of variable
 * length, on short texts. `^` and `$` around the whole are allowed and mean what is meant without them.
 */
export function whyNotPattern(pattern: string): string | null {
  const inner = innerOf(pattern);
  let repeats = 0;
  piece.lastIndex = 0;
  for (let at = 0; at < inner.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const match = piece.exec(inner);
    if (!match) return 'may have characters, classes in brackets and quantifiers, and no groups or alternatives';
    const [, quantifier] = match;
    if (quantifier !== undefined && quantifier !== '?') repeats++;
  }
  if (repeats > mostRepeats) return `may have at most ${mostRepeats} quantifiers other than ?`;
  try {
    compiled(pattern);
    return null;
  } catch {
    return 'is not a regular expression';
  }
}

/** Whether the whole text matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  return text.length <= longestMatched && compiled(pattern).test(text);
}

const innerOf = (pattern: string): string => pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
const compiled = (pattern: string): RegExp => new RegExp(`^(?:${innerOf(pattern)})$`, 'u');
