const shortestSecret = 6;
/** A longer value is looked for by pieces of this size, so that no comparison takes longer than that. */
const pieceLength = 32;
const cover = '***';

/** Words that no secret is, and that a log is full of: hiding them would hide the log and protect nothing. */
const wellKnown = new Set(
  `production development staging preview testing default enabled disabled verbose warning silent public private
  master latest stable localhost http://localhost https://localhost 127.0.0.1 0.0.0.0 browser server`.split(/\s+/),
);

const isSecret = (text: string): boolean =>
  text.length >= shortestSecret && !text.includes('\n') && !wellKnown.has(text.toLowerCase());

export type Mask = {
  (text: string): string;
  /** Hides what begins before `end`; `length` says how much of the text that was, since a value may reach beyond it. */
  upTo(text: string, end: number): { masked: string; length: number };
  /** A piece of text may only be cut off where at least this much of what follows is known. */
  longest: number;
};

/**
 * Hides the values of a deployment's environment variables. Shorter and well-known values are words like `true` that would make
 * a log unreadable. The lines of a value with several are hidden one by one, because a log is kept line by line.
 *
 * One look at each place of the text, whatever the values are: an expression of all of them would compare a hundred long
 * ones that begin alike at every place of a line that is made for it.
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

/** The longest piece of a secret that stands at a place of a text. */
function pieceFinder(secrets: ReadonlySet<string>): (text: string, at: number) => Piece | null {
  const pieces = new Map<string, Piece>();
  const lengths = new Map<string, number[]>();
  // Most places are passed by this alone.
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

/** Where the pieces of a secret begin; the last one ends with it. */
function* startsOf(length: number): Generator<number> {
  for (let from = 0; from + pieceLength < length; from += pieceLength) yield from;
  yield Math.max(0, length - pieceLength);
}

/** Of four characters, in sixteen bits. Behind the end of the text there are none, and no secret either. */
const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) +
    31 * text.charCodeAt(at + 1) +
    961 * text.charCodeAt(at + 2) +
    29_791 * text.charCodeAt(at + 3)) &
  0xffff;
