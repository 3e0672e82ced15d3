/** Number of comparisons that are left for one path. No real ignore file needs more. */
export type Steps = { left: number };

export class TooManySteps extends Error {}

type Sequence<Part, Item> = {
  isStar(part: Part): boolean;
  fits(part: Part, item: Item): boolean;
  steps: Steps;
};

/**
 * Whether parts, some of which match any number of items, match all items. If something does not fit, only the number
 * of items that the last such part matches has to be changed. Changing it for an earlier one would not help, because
 * the last one can match any number anyway. So it takes at most parts times items steps.
 */
function matches<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  { isStar, fits, steps }: Sequence<Part, Item>,
): boolean {
  let [at, index, star, taken] = [0, 0, -1, 0];
  while (index < items.length) {
    steps.left -= 1;
    if (steps.left < 0) throw new TooManySteps();
    if (at < parts.length && isStar(parts[at] as Part)) [star, taken, at] = [at, index, at + 1];
    else if (at < parts.length && fits(parts[at] as Part, items[index] as Item)) [at, index] = [at + 1, index + 1];
    else if (star >= 0) [at, taken, index] = [star + 1, taken + 1, taken + 1];
    else return false;
  }
  while (at < parts.length && isStar(parts[at] as Part)) at += 1;
  return at === parts.length;
}

/** A part of a name: null for `*`, one character, or a condition for one character. */
type NamePart = null | string | ((character: string) => boolean);
export type NameGlob = readonly NamePart[];
/** The names of a path. `**` stands for any number of names. */
export type PathGlob = readonly (NameGlob | '**')[];

export const nameMatches = (glob: NameGlob, name: string, steps: Steps): boolean =>
  matches(glob, [...name.toLowerCase()], {
    isStar: (part) => part === null,
    fits: (part, character) => (typeof part === 'function' ? part(character) : part === character),
    steps,
  });

export const pathMatches = (glob: PathGlob, names: readonly string[], steps: Steps): boolean =>
  matches(glob, names, {
    isStar: (part) => part === '**',
    fits: (part, name) => part !== '**' && nameMatches(part, name, steps),
    steps,
  });

/** A glob for one name, without slashes. Null if it can match nothing. It ignores case. */
export function nameGlobOf(text: string): NameGlob | null {
  const parts: NamePart[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    if (character === '*') {
      if (parts.at(-1) !== null) parts.push(null);
    } else if (character === '?') parts.push(() => true);
    else if (character === '[') {
      const characterClass = classAt(characters, at);
      if (characterClass === null) return null;
      parts.push(characterClass.fits);
      at = characterClass.end;
    } else if (character === '\\') {
      at += 1;
      if (at === characters.length) return null;
      parts.push((characters[at] as string).toLowerCase());
    } else parts.push(character.toLowerCase());
  }
  return parts;
}

const named: Record<string, RegExp> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[a-z]/i,
  xdigit: /[\da-f]/i,
};

/** Parses `[a-z]`, `[!a]` or `[[:digit:]]`. Null if it has no end. */
function classAt(characters: readonly string[], start: number) {
  const isNegated = /[!^]/.test(characters[start + 1] ?? '');
  const tests: ((character: string) => boolean)[] = [];
  const first = start + (isNegated ? 2 : 1);
  for (let at = first; at < characters.length; at += 1) {
    const [, name] = /^\[:([a-z]*):\]/.exec(characters.slice(at, at + 12).join('')) ?? [];
    if (characters[at] === ']' && at > first) {
      const any = (character: string) => tests.some((test) => test(character) || test(character.toUpperCase()));
      return { fits: (character: string) => any(character) !== isNegated, end: at };
    }
    if (name !== undefined) {
      const pattern = named[name];
      if (!pattern) return null;
      tests.push((character) => pattern.test(character));
      at += name.length + 3;
      continue;
    }
    if (characters[at] === '\\') at += 1;
    const from = characters[at] ?? '';
    let to = from;
    if (characters[at + 1] === '-' && characters[at + 2] !== undefined && characters[at + 2] !== ']') {
      at += characters[at + 2] === '\\' ? 3 : 2;
      to = characters[at] ?? '';
    }
    tests.push((character) => character >= from && character <= to);
  }
  return null;
}
