import type { SearchResults } from '@bottega/contract';
import type { Db } from '../db/pool.ts';
import { isBinary } from '../git/line-changes.ts';
import { inflateObjectAsync } from '../git/objects.ts';
import type { Principal } from '../http/principal.ts';
import { readableProject } from '../projects/index.ts';
import { readTextFiles } from './search.sql.ts';

const largestFile = 1_048_576;
const batch = 100;
const longestExcerpt = 200;
/** A search must not hold the event loop or the database for long, however large the project. */
const mostBytes = 64 * 1_048_576;

/** Lines that contain the text, whatever its case, in order of path. Reads the head in batches until enough is found. */
export async function searchFiles(
  db: Db,
  { userId }: Principal,
  projectId: string,
  { q, limit }: { q: string; limit: number },
): Promise<SearchResults> {
  await readableProject(db, projectId, userId);
  const needle = new RegExp(RegExp.escape(q), 'iu');
  const data: SearchResults['data'] = [];
  let after = '';
  let bytes = 0;
  let skipped = false;
  for (;;) {
    const files = await readTextFiles(db, projectId, { after, limit: batch });
    for (const { id, path, size, deflated } of files) {
      after = path;
      skipped ||= size > largestFile;
      if (size > largestFile || !deflated) continue;
      bytes += size;
      const content = await inflateObjectAsync(deflated, size);
      if (isBinary(content)) continue;
      data.push(
        ...matchesIn(content.toString('utf8'), needle, limit + 1 - data.length).map((match) => ({
          file_id: id,
          path,
          ...match,
        })),
      );
      if (data.length > limit) return { data: data.slice(0, limit), truncated: true };
    }
    if (files.length < batch) return { data, truncated: skipped };
    if (bytes > mostBytes) return { data, truncated: true };
  }
}

function matchesIn(text: string, needle: RegExp, most: number) {
  const found: { line: number; column: number; excerpt: string }[] = [];
  if (!needle.test(text)) return found;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const column = line.search(needle);
    if (column < 0) continue;
    const from = Math.max(0, column - 60);
    found.push({ line: index + 1, column: column + 1, excerpt: line.slice(from, from + longestExcerpt).trimEnd() });
    if (found.length >= most) break;
  }
  return found;
}
