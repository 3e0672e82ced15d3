import type { Db, PointReads } from '../../foundation/db/index.ts';
import { readTogether } from '../../foundation/db/read-together.ts';
import { invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { mustSee } from '../../projects/access/index.ts';
import { readableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { type HeadAt, refOf } from '../objects/ref-names.ts';
import {
  type ContentRow,
  entryAt,
  findById,
  findContents,
  findOnBranches,
  type ListedRow,
  readBlob,
  type WantedContent,
  type WantedOnBranch,
} from '../store/index.ts';
import { keepContents } from './kept-contents.ts';

/** `load` must be called only after the right to read was checked and if the content is needed. */
export type Content = { file: ListedRow; load(): Buffer | Promise<Buffer> };
export type ReadContent = (principal: Principal, projectId: string, id: string) => Promise<Content>;

/** Two queries at a time, so that one that waits for a lock or the disk does not block all others. */
const atOnce = { queries: 2, max: 32 };
/** Largest content that is read on the shared connection, in bytes. A larger one would delay the small reads. */
const maxLaneBytes = 65_536;

export type ContentReader = {
  /** The content on main. */
  read: ReadContent;
  /**
   * The content on another branch. Null if no row tells where the file is. In this case, the branch's tree has to be
   * searched.
   */
  readOn(principal: Principal, at: HeadAt, id: string): Promise<Content | null>;
};

/** Reads the current content of files. Concurrent downloads share a query. */
export function contentReader(db: Db, reads: PointReads): ContentReader {
  const find = readTogether((wanted: WantedContent[]) => findContents(reads, wanted), atOnce);
  const findOn = readTogether((wanted: WantedOnBranch[]) => findOnBranches(reads, wanted), atOnce);
  const kept = keepContents();

  type Stored = Pick<ContentRow, 'blob_sha' | 'checksum' | 'size'>;
  async function readContent({ blob_sha: sha, checksum, size }: Stored, projectId: string): Promise<Buffer> {
    const blob = await readBlob(size <= maxLaneBytes ? reads : db, projectId, sha, db);
    if (!blob) throw notFound('File');
    const content = await inflateObjectAsync(blob.deflated, blob.size);
    if (checksum) kept.keep(checksum, content);
    return content;
  }

  const read: ReadContent = async ({ userId }, projectId, id) => {
    const known = isId('prj', projectId) && isId('fil', id);
    const row = known ? await find({ projectId, id, userId }) : undefined;
    if (!row) {
      // Only users who can see the project learn whether the project or the file is missing.
      await readableProject(db, projectId, userId);
      const directory = isId('dir', id) ? await findById(db, projectId, id) : undefined;
      throw directory ? invalid('file_id', 'is a directory and has no content') : notFound('File');
    }
    mustSee(row, userId);
    return { file: row, load: () => (row.checksum && kept.find(row.checksum)) ?? readContent(row, projectId) };
  };

  const readOn: ContentReader['readOn'] = async ({ userId }, at, id) => {
    const { projectId } = at;
    if (!isId('prj', projectId) || !isId('fil', id)) return null;
    const row = await findOn({ projectId, ref: refOf(at), id, userId });
    if (!row) return null;
    mustSee(row, userId);
    const entry = await entryAt(db, projectId, { tree: row.tree_sha, path: row.path });
    if (!entry?.sha.equals(row.sha)) return null;
    const stored = { ...row, blob_sha: row.sha };
    const file = { ...row, id, type: 'file' as const };
    return { file, load: () => kept.find(row.checksum) ?? readContent(stored, projectId) };
  };
  return { read, readOn };
}
