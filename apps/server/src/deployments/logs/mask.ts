const shortestSecret = 6;
/** Length of the pieces in which longer values are searched for. This limits the cost of each comparison. */
const pieceLength = 32;
const cover = '***';

/** Common words in logs that are not secrets. Masking them would make logs unreadable and protect nothing. */
const wellKnown = new Set(
  `production development staging preview testing default enabled disabled verbose warning silent public private
  master latest stable localhost http://localhost https://localhost 127.0.0.1 0.0.0.0 browser server`.split(/\s+/),
);

const isSecret = (text: string): boolean =>
  text.length >= shortestSecret && !text.includes('\n') && !wellKnown.has(text.toLowerCase());

export type Mask = {
  (text: string): string;
  /**
   * Masks values that begin before `end`. `length` is the length of the text that was handled, since a value may reach
   * beyond `end`.
   */
  upTo(text: string, end: number): { masked: string; length: number };
  /** Number of further characters that must be known before a text can be cut. */
  longest: number;
};

/**
 * Masks the values of a deployment's environment variables. Short and well-known values, such as `true`, are left,
 * because masking them would make a log unreadable. A value with several lines is masked line by line, because a log is
 * stored by lines.
 *
 * Each position of the text is checked once, whatever the values are. A regular expression would compare a hundred long
 * values with a common prefix at every position of a crafted line.
 */
export function createMask(values: readonly string[]): Mask {
  const parts = values.flatMap((value) => [value, ...value.split(/\r?\n/)].map((part) => part.trim()));
  const secrets = new Set(parts.filter(isSecret));
  const find = pieceFinder(secrets);
  const longest = Math.min(pieceLength, Math.max(0, ...[...secrets].map((secret) => secret.length)));

  function upTo(text: string, end: number): { masked: string; length: number } {
    if (secrets.size === 0) return { masked: text.slice(0, end), length: end };
    let masked = '';
    let covered = 0;
    for (let at = 0; at < end; at++) {
      const piece = find(text, at);
      if (!piece) continue;
      const goesOn = at < covered || (at === covered && at > 0 && !piece.isFirst);
      if (!goesOn) masked += text.slice(covered, at) + cover;
      covered = Math.max(covered, at + piece.length);
    }
    const length = Math.max(end, covered);
    return { masked: masked + text.slice(covered, length), length };
  }
  return Object.assign((text: string) => upTo(text, text.length).masked, { upTo, longest });
}

type Piece = { length: number; isFirst: boolean };

/** Finds the longest piece of a secret at a position of the text. */
function pieceFinder(secrets: ReadonlySet<string>): (text: string, at: number) => Piece | null {
  const pieces = new Map<string, Piece>();
  const lengths = new Map<string, number[]>();
  // Excludes most positions without a lookup.
  const begins = new Uint8Array(65_536);
  for (const secret of secrets) {
    for (const from of startsOf(secret.length)) {
      const text = secret.slice(from, from + pieceLength);
      pieces.set(text, { length: text.length, isFirst: from === 0 || (pieces.get(text)?.isFirst ?? false) });
      const beginning = text.slice(0, shortestSecret);
      const known = lengths.get(beginning) ?? [];
      if (!known.includes(text.length))
        lengths.set(
          beginning,
          [...known, text.length].sort((one, other) => other - one),
        );
      begins[hashAt(text, 0)] = 1;
    }
  }
  return (text, at) => {
    if (begins[hashAt(text, at)] === 0) return null;
    for (const length of lengths.get(text.slice(at, at + shortestSecret)) ?? []) {
      const piece = pieces.get(text.slice(at, at + length));
      if (piece) return piece;
    }
    return null;
  };
}

/** The starts of a secret's pieces. The last piece ends with the secret. */
function* startsOf(length: number): Generator<number> {
  for (let from = 0; from + pieceLength < length; from += pieceLength) yield from;
  yield Math.max(0, length - pieceLength);
}

/**
 * A 16-bit hash of the four characters at a position. Near the end of the text, where there are fewer, no secret can
 * start.
 */
const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) +
    31 * text.charCodeAt(at + 1) +
    961 * text.charCodeAt(at + 2) +
    29_791 * text.charCodeAt(at + 3)) &
  0xffff;
