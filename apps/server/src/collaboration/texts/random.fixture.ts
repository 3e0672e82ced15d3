/** The same numbers for the same seed (mulberry32). */
export type Random = { below(max: number): number; chance(of: number): boolean; pick<One>(from: readonly One[]): One };

export function seededRandom(seed: number): Random {
  let state = seed * 0x9e3779b1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(next() * max);
  return {
    below,
    chance: (of) => next() < of,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
}

const pieces = ['a', 'b', ' ', 'word', '\n', '\r\n', '🐙', '👩‍💻', 'ä', '𝒳𝒴', 'two\nlines', '\t', '"'];

export const randomText = (random: Random, max = 4): string =>
  Array.from({ length: 1 + random.below(max) }, () => random.pick(pieces)).join('');

/** A position that is not inside a surrogate pair. */
export function randomPosition(random: Random, text: string): number {
  const position = random.below(text.length + 1);
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff && position > 0 ? position - 1 : position;
}
