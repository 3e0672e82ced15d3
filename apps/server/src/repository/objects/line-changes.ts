import type { Hunk } from './diff-lines.ts';

/** The names are those in the payload of file events. */
export type LineChanges = { lines_added: number; lines_removed: number; lines_modified: number };

/**
 * Counts changed lines. In each hunk, the lines of the smaller side count as modified, and the rest of the larger side
 * counts as added or removed.
 */
export function lineChanges(hunks: readonly Hunk[]): LineChanges {
  const changes: LineChanges = { lines_added: 0, lines_removed: 0, lines_modified: 0 };
  for (const { oldCount, newCount } of hunks) {
    changes.lines_modified += Math.min(oldCount, newCount);
    changes.lines_added += Math.max(newCount - oldCount, 0);
    changes.lines_removed += Math.max(oldCount - newCount, 0);
  }
  return changes;
}

/** Whether content is binary, by git's rule: a NUL in the first 8,000 bytes. */
export function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8000).includes(0);
}
