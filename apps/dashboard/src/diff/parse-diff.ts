export type DiffLine = {
  kind: 'added' | 'removed' | 'same' | 'place';
  /** Without the sign in front of it. */
  text: string;
  before: number | null;
  after: number | null;
};

/**
 * The lines of a unified diff, numbered according to its hunks. The header above the first hunk is left out, because
 * the page already shows the same.
 */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after, isInside] = [0, 0, false];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const text = line.slice(1);
    if (hunk) {
      [before, after, isInside] = [Number(hunk[1]), Number(hunk[2]), true];
      lines.push({ kind: 'place', text: line, before: null, after: null });
    } else if (!isInside) {
      // Lines above the first hunk are skipped.
    } else if (line.startsWith('+')) lines.push({ kind: 'added', text, before: null, after: after++ });
    else if (line.startsWith('-')) lines.push({ kind: 'removed', text, before: before++, after: null });
    else if (line.startsWith('\\')) lines.push({ kind: 'place', text: line, before: null, after: null });
    else lines.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return lines;
}
