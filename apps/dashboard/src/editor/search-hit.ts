/** So much of a line at most stands before the match in what the service sends. */
const mostBefore = 60;
/** More would push the match out of a narrow panel. */
const shownBefore = 16;

/** What was found, apart from what stands around it. */
export function hitIn({ column, excerpt }: { column: number; excerpt: string }, q: string) {
  const at = Math.min(column - 1, mostBefore);
  const before = excerpt.slice(0, at).trimStart();
  const isCut = before.length > shownBefore || column - 1 > mostBefore;
  return {
    before: isCut ? `…${before.slice(-shownBefore)}` : before,
    hit: excerpt.slice(at, at + q.length),
    after: excerpt.slice(at + q.length),
  };
}
