type Splice = { from: number; to: number; insert: string };

/**
 * Both sides have changed one text. Where they changed different places, both changes are made; undefined where one place
 * was changed by both.
 */
export function merge(base: string, here: string, there: string): string | undefined {
  const [mine, theirs] = [changedPart(base, here), changedPart(base, there)];
  const [first, second] = mine.from <= theirs.from ? [mine, theirs] : [theirs, mine];
  // Where they touch, nobody knows what belongs first.
  if (first.to >= second.from) return undefined;
  return (
    base.slice(0, first.from) + first.insert + base.slice(first.to, second.from) + second.insert + base.slice(second.to)
  );
}

/** What is between the beginning and the end that both have: whole lines, since half a line makes no sense. */
function changedPart(base: string, text: string): Splice {
  const shorter = Math.min(base.length, text.length);
  let from = 0;
  while (from < shorter && base[from] === text[from]) from += 1;
  from = base.lastIndexOf('\n', from - 1) + 1;
  let end = 0;
  while (end < shorter - from && base[base.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  const newline = base.indexOf('\n', base.length - end);
  end = newline < 0 ? 0 : base.length - newline;
  return { from, to: base.length - end, insert: text.slice(from, text.length - end) };
}
