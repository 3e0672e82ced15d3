import type { CreateThread } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { invalid } from '../../foundation/http/index.ts';
import type * as rows from '../state/index.ts';
import { isFileOf, textAt } from './contents.ts';
import type { FindVersion } from './places.service.ts';

/** The most lines of one thread, and the most characters of these lines that are stored. */
const mostLines = 1_000;
const mostKept = 65_536;

type Wanted = Omit<CreateThread, 'body' | 'draft'>;

/**
 * Checks the place at which a thread should begin, and reads its lines. `field` is the prefix of its fields in error
 * messages.
 */
export async function originOf(
  db: Db,
  row: rows.RequestRow,
  findVersion: FindVersion,
  wanted: Wanted,
  field = '',
): Promise<rows.Origin> {
  const { path, line, start_line = line, version = row.version } = wanted;
  const found = await findVersion(version);
  if (path === undefined) {
    if (line !== undefined) throw invalid(`${field}path`, 'is required if line is set');
    return { version, path: null, side: null, start_line: null, line: null, text: null };
  }
  const { side = 'RIGHT' } = wanted;
  if (line === undefined || start_line === undefined) {
    const isThere = await isFileOf(db, row.project_id, found, path);
    if (!isThere) throw invalid(`${field}path`, 'is not a file of this version');
    return { version, path, side, start_line: null, line: null, text: null };
  }
  const commit = side === 'LEFT' ? found.merge_base_sha : found.head_sha;
  const text = await textAt(db, row.project_id, commit, path);
  if (text === null) throw invalid(`${field}path`, 'is not a text file of this version');
  if (start_line > line) throw invalid(`${field}start_line`, 'must not be after line');
  if (line - start_line >= mostLines)
    throw invalid(`${field}start_line`, `must be less than ${mostLines} lines before line`);
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  if (line > lines.length)
    throw invalid(`${field}line`, `must be at most ${lines.length}, the number of lines in the file`);
  const kept = lines
    .slice(start_line - 1, line)
    .join('\n')
    .slice(0, mostKept)
    // A text may have U+0000 after its beginning, and PostgreSQL cannot store it.
    .replaceAll('\0', '\uFFFD');
  return { version, path, side, start_line, line, text: kept };
}
