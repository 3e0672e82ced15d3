import { newTreeCursor, readTreeEntry } from './tree-bytes.ts';

/** Finds one entry of a tree by name, without decoding the others. */
export function findTreeEntry(content: Buffer, name: string): { mode: number; sha: Buffer } | undefined {
  const wanted = Buffer.from(name);
  const entry = newTreeCursor();
  for (let at = 0; at < content.length; at = entry.end) {
    readTreeEntry(content, at, entry);
    if (entry.nameEnd - entry.nameStart === wanted.length && endsWith(content, entry.nameEnd, wanted)) {
      return { mode: entry.mode, sha: content.subarray(entry.nameEnd + 1, entry.end) };
    }
  }
  return undefined;
}

/** From the end, where names of one directory differ. A native comparison of so few bytes costs ten times as much. */
function endsWith(content: Buffer, end: number, wanted: Buffer): boolean {
  for (let back = 1; back <= wanted.length; back++) {
    if (content[end - back] !== wanted[wanted.length - back]) return false;
  }
  return true;
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
