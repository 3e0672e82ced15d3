/** The terminal style of the following text. Colours are the sixteen that a theme defines. */
export type Look = {
  colour?: number;
  ground?: number;
  bold?: true;
  faint?: true;
  italic?: true;
  underlined?: true;
  inverse?: true;
};
export type Piece = { text: string; look: Look };

export const plainLook: Look = {};

// Written as a number: a control character in a source file would be invisible.
const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);
/** CSI with its parameters and final byte, OSC up to its end, and the escapes of two characters. */
const escapes = new RegExp(
  `${esc}(?:\\[([0-?]*)[ -/]*([@-~])|\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?|[@-Z\\\\^_])`,
  'g',
);

/** The text in pieces of one style each, and the style with which the next line of that stream starts. */
export function piecesOf(text: string, begin: Look = plainLook): { pieces: Piece[]; look: Look } {
  const pieces: Piece[] = [];
  let look = begin;
  let from = 0;
  const push = (to: number) => {
    if (to > from) pieces.push({ text: text.slice(from, to), look });
  };
  for (const sequence of text.matchAll(escapes)) {
    push(sequence.index);
    from = sequence.index + sequence[0].length;
    // Everything else (moving the cursor, clearing a line, titles) has no meaning in a log.
    if (sequence[2] === 'm') look = changed(look, sequence[1] ?? '');
  }
  push(text.length);
  return { pieces, look };
}

export const withoutEscapes = (text: string): string => (text.includes(esc) ? text.replaceAll(escapes, '') : text);

const switches: Record<number, (look: Look) => Look> = {
  0: () => plainLook,
  1: (look) => ({ ...look, bold: true }),
  2: (look) => ({ ...look, faint: true }),
  3: (look) => ({ ...look, italic: true }),
  4: (look) => ({ ...look, underlined: true }),
  7: (look) => ({ ...look, inverse: true }),
  22: ({ bold, faint, ...rest }) => rest,
  23: ({ italic, ...rest }) => rest,
  24: ({ underlined, ...rest }) => rest,
  27: ({ inverse, ...rest }) => rest,
  39: ({ colour, ...rest }) => rest,
  49: ({ ground, ...rest }) => rest,
};

function changed(before: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number);
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(at + 1));
      at += used;
      if (colour !== null) look = code === 38 ? { ...look, colour } : { ...look, ground: colour };
    } else look = switches[code]?.(look) ?? basic(look, code);
  }
  return look;
}

function basic(look: Look, code: number): Look {
  const colour = (code % 10) + (code >= 90 ? 8 : 0);
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...look, colour };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...look, ground: colour };
  return look;
}

/** The parameters after 38 or 48: `5;n` for a palette of 256 colours, or `2;r;g;b`. */
function extended([kind, first = 0, second = 0, third = 0]: number[]): { colour: number | null; used: number } {
  if (kind === 2) return { colour: nearest(first, second, third), used: 4 };
  if (kind === 5) return { colour: ofPalette(first), used: 2 };
  return { colour: null, used: 0 };
}

function ofPalette(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return index < 244 ? 8 : 7;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const cube = index - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** The nearest of the sixteen colours. A colour that was chosen for a black terminal may be unreadable on white. */
function nearest(red: number, green: number, blue: number): number {
  const high = Math.max(red, green, blue);
  const low = Math.min(red, green, blue);
  if (high - low < 40) return high < 110 ? 8 : 7;
  const middle = (high + low) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return bits + (high > 200 ? 8 : 0);
}

/** The same pieces, split where a search match begins and ends. */
export function marked(pieces: readonly Piece[], wanted: string): (Piece & { isFound: boolean })[] {
  const text = pieces.map((piece) => piece.text).join('');
  const ranges = wanted === '' ? [] : rangesOf(text.toLowerCase(), wanted.toLowerCase());
  const cuts = ranges.flat();
  const out: (Piece & { isFound: boolean })[] = [];
  let at = 0;
  for (const { text: own, look } of pieces) {
    const edges = [at, ...cuts.filter((cut) => cut > at && cut < at + own.length), at + own.length];
    for (const [index, edge] of edges.slice(0, -1).entries()) {
      const isFound = ranges.some(([from, to]) => edge >= from && edge < to);
      out.push({ text: text.slice(edge, edges[index + 1]), look, isFound });
    }
    at += own.length;
  }
  return out;
}

function rangesOf(text: string, wanted: string): [number, number][] {
  const ranges: [number, number][] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    ranges.push([at, at + wanted.length]);
  }
  return ranges;
}
