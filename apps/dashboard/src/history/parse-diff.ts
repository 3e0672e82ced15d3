export type DiffLine = {
  kind: 'added' | 'removed' | 'same' | 'place';
  text: string;
  before: number | null;
  after: number | null;
};

/** The lines of a unified diff, numbered by its hunks. The header above the first hunk is redundant. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after, isInside] = [0, 0, false];
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk) {
      [before, after, isInside] = [Number(hunk[1]), Number(hunk[2]), true];
      lines.push({ kind: 'place', text, before: null, after: null });
    } else if (!isInside) {
      // Above the first hunk.
    } else if (text.startsWith('+')) lines.push({ kind: 'added', text, before: null, after: after++ });
    else if (text.startsWith('-')) lines.push({ kind: 'removed', text, before: before++, after: null });
    else if (text.startsWith('\\')) lines.push({ kind: 'place', text, before: null, after: null });
    else lines.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return lines;
}
