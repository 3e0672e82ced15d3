/** Largest number of characters before the match in the service's excerpt. */
const maxBefore = 60;
/** Maximum number of shown characters before the match. With more, the match would be outside a narrow panel. */
const shownBefore = 16;

/** The match, separated from the text around it. */
export function hitIn({ column, excerpt }: { column: number; excerpt: string }, q: string) {
  const at = Math.min(column - 1, maxBefore);
  const before = excerpt.slice(0, at).trimStart();
  const isCut = before.length > shownBefore || column - 1 > maxBefore;
  return {
    before: isCut ? `…${before.slice(-shownBefore)}` : before,
    hit: excerpt.slice(at, at + q.length),
    after: excerpt.slice(at + q.length),
  };
}
