import { entryStarts, findPlace, newTreeCursor, readTreeEntry } from './tree-bytes.ts';

/**
 * Finds one entry of a tree by name without decoding the others. Git sorts a directory as if its name ended with a
 * slash, so both forms are looked up.
 */
export function findTreeEntry(content: Buffer, name: string): { mode: number; sha: Buffer } | undefined {
  const starts = entryStarts(content);
  for (const key of [Buffer.from(name), Buffer.from(`${name}/`)]) {
    const { found } = findPlace(content, starts, key);
    if (found) return { mode: found.mode, sha: content.subarray(found.nameEnd + 1, found.end) };
  }
  return undefined;
}

/** The names of the symbolic links and submodules of a tree. */
export function linksIn(content: Buffer): Set<string> {
  const links = new Set<string>();
  const entry = newTreeCursor();
  for (let at = 0; at < content.length; at = entry.end) {
    readTreeEntry(content, at, entry);
    const isLink = entry.mode === 0o120000 || entry.mode === 0o160000;
    if (isLink) links.add(content.toString('utf8', entry.nameStart, entry.nameEnd));
  }
  return links;
}
