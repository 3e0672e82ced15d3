import { newTreeCursor, readTreeEntry } from './tree-bytes.ts';

/** Finds one entry of a tree by name, without decoding the others. */
export function findTreeEntry(content: Buffer, name: string): { mode: number; sha: Buffer } | undefined {
  const wanted = Buffer.from(name);
  const entry = newTreeCursor();
  for (let at = 0; at < content.length; at = entry.end) {
    readTreeEntry(content, at, entry);
    if (entry.nameEnd - entry.nameStart !== wanted.length) continue;
    if (content.compare(wanted, 0, wanted.length, entry.nameStart, entry.nameEnd) === 0) {
      return { mode: entry.mode, sha: content.subarray(entry.nameEnd + 1, entry.end) };
    }
  }
  return undefined;
}
