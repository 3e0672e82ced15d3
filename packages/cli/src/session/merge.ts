type Splice = { from: number; to: number; insert: string };

/**
 * Merges two changes to the same text. If they are at different places, both are applied. Undefined if both changed the
 * same place.
 */
export function merge(base: string, here: string, there: string): string | undefined {
  const [mine, theirs] = [changedPart(base, here), changedPart(base, there)];
  const [first, second] = mine.from <= theirs.from ? [mine, theirs] : [theirs, mine];
  // If the two changes touch, their order is unknown.
  if (first.to >= second.from) return undefined;
  return (
    base.slice(0, first.from) + first.insert + base.slice(first.to, second.from) + second.insert + base.slice(second.to)
  );
}

/**
 * The part between the common beginning and the common end. It consists of whole lines, because merging halves of lines
 * could give a line that nobody wrote.
 */
function changedPart(base: string, text: string): Splice {
  const shorter = Math.min(base.length, text.length);
  let from = 0;
  while (from < shorter && base[from] === text[from]) from += 1;
  from = base.slice(0, from).lastIndexOf('\n') + 1;
  let end = 0;
  while (end < shorter - from && base[base.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  const newline = base.indexOf('\n', base.length - end);
  end = newline < 0 ? 0 : base.length - newline;
  return { from, to: base.length - end, insert: text.slice(from, text.length - end) };
}
