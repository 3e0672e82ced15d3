/**
 * Path patterns of users: `*` and `?` within a name, `**` for any directories. Libraries turn such patterns into
 * regular expressions, which can backtrack for years. Another known method, which goes back to the last star, takes
 * time proportional to the product of both lengths. This code reads every character of a path only once. It stores in
 * bits which tokens of the pattern may come next, and updates 32 of them at a time. Between two paths, it keeps only
 * the pattern itself and not its tables, because those of ten thousand webhooks would fill the memory.
 */
export type PathPattern = { tokens: string; beginning: string; ending: string };

export function compilePathPattern(pattern: string): PathPattern {
  const parts = pattern.split('/').filter((part) => part !== '');
  const tokens = parts
    .map((part) => (part === '**' ? directories : `${part.replaceAll(/\*+/g, '*')}/`))
    .join('')
    .replaceAll(/\0+/g, directories);
  // `beginning` and `ending` are the texts before the first and after the last wildcard. Most paths that do not match
  // already differ there.
  const [beginning = ''] = tokens.split(/[*?\0]/, 1);
  const ending =
    tokens
      .slice(beginning.length)
      .split(/[*?\0]/)
      .at(-1) ?? '';
  return { tokens, beginning, ending };
}

/**
 * One step updates one word of 32 tokens. A thousand steps take some microseconds, as long as building the tables of
 * sixty tokens.
 */
export type Steps = { taken: number; max: number };

/** Maximum number of steps. Even for the longest paths, fifty patterns as people write them need only a tenth of it. */
const maxSteps = 262_144;
const stepsOfToken = 16;

/** Whether one of the patterns matches the path. If it takes too many steps to find out, the result is true. */
export function matchesAny(
  patterns: readonly PathPattern[],
  path: string,
  steps: Steps = { taken: 0, max: maxSteps },
): boolean {
  const names = namesOf(path);
  return patterns.some(
    (pattern) => mayMatch(pattern, names) && (matchesTokens(pattern.tokens, names, steps) || steps.taken > steps.max),
  );
}

/**
 * The maximum number of steps that `matchesAny` takes. A pattern whose beginning or ending differs from the path takes
 * one step.
 */
export function stepsToMatch(patterns: readonly PathPattern[], path: string): number {
  const names = namesOf(path);
  let steps = 0;
  for (const pattern of patterns) {
    const { length } = pattern.tokens;
    steps += mayMatch(pattern, names) ? stepsOfToken * length + wordsFor(length) * names.length : 1;
    if (steps > maxSteps) return maxSteps;
  }
  return steps;
}

const namesOf = (path: string): string => `${path.slice(1)}/`;
const mayMatch = ({ beginning, ending }: PathPattern, names: string): boolean =>
  names.startsWith(beginning) && names.endsWith(ending);
const wordsFor = (tokens: number): number => (tokens >> 5) + 1;

/**
 * The token for `**`. The character itself cannot occur in a pattern. In the tokens, each name ends with a slash, and
 * this one token stands for any number of names.
 */
const directories = '\0';
const star = 0x2a;
const anyone = 0x3f;
const slash = 0x2f;

function matchesTokens(tokens: string, path: string, steps: Steps): boolean {
  const table = tableOf(tokens);
  const { count, words } = table;
  const next = new Int32Array(words);
  steps.taken += stepsOfToken * tokens.length;
  // The start of a path is handled like the position after a slash: the first token may come next.
  let used = move(next, table, { code: slash, entering: 1, used: 1 });
  for (let index = 0; index < path.length && used > 0 && steps.taken <= steps.max; index++) {
    const code = path.codePointAt(index) ?? 0;
    if (code > 0xffff) index++;
    steps.taken += used;
    used = move(next, table, { code, entering: 0, used });
  }
  return used > 0 && (at(next, count >> 5) & (1 << (count & 31))) !== 0;
}

type Step = { code: number; entering: number; used: number };

/**
 * Reads one character of the path. All words after the first `used` words are zero. Returns how many words are used
 * afterwards.
 */
function move(next: Int32Array, { words, rows, fits, stars, globs }: Table, { code, entering, used }: Step): number {
  const isSlash = code === slash;
  const row = words * (rows.get(code) ?? 0);
  const end = Math.min(used + 1, words);
  let [entered, nowUsed] = [entering, 0];
  for (let word = 0; word < end; word++) {
    const before = at(next, word);
    const moved = before & at(fits, row + word);
    let after = (moved << 1) | entered;
    entered = moved >>> 31;
    const globsHere = at(globs, word);
    const starsHere = at(stars, word);
    if ((globsHere | starsHere) !== 0) {
      after |= before & (isSlash ? globsHere : globsHere | starsHere);
      // `**` may stand for no directory and `*` for no character. So the token after them may be the next one too.
      const skipped = isSlash ? after & globsHere : 0;
      after |= skipped << 1;
      const passed = after & starsHere;
      after |= passed << 1;
      entered |= (skipped | passed) >>> 31;
    }
    next[word] = after;
    if (after !== 0) nowUsed = word + 1;
  }
  return nowUsed;
}

const at = (words: Int32Array, index: number): number => words[index] as number;

type Table = ReturnType<typeof tableOf>;

/**
 * Builds the tables of a pattern. Each character in the pattern has a row of bits, which shows the tokens that it
 * matches. The first row is for all other characters.
 */
function tableOf(tokens: string) {
  const codes = Array.from(tokens, (token) => token.codePointAt(0) ?? 0);
  const words = wordsFor(codes.length);
  const rows = new Map<number, number>();
  for (const code of codes) if (!rows.has(code)) rows.set(code, rows.size + 1);
  const fits = new Int32Array((rows.size + 1) * words);
  for (const [position, code] of codes.entries()) {
    const word = words * (rows.get(code) ?? 0) + (position >> 5);
    fits[word] = at(fits, word) | (1 << (position & 31));
  }
  // In a path, wildcard characters are ordinary characters.
  const take = (code: number): Int32Array => {
    const row = words * (rows.get(code) ?? 0);
    rows.delete(code);
    return fits.slice(row, row + words);
  };
  const [stars, globs, anywhere] = [take(star), take(0), take(anyone)];
  for (const row of [0, ...rows.values()]) {
    if (row === rows.get(slash)) continue;
    for (let word = 0; word < words; word++)
      fits[row * words + word] = at(fits, row * words + word) | at(anywhere, word);
  }
  return { count: codes.length, words, rows, fits, stars, globs };
}
