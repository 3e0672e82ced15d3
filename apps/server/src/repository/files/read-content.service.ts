import type { Db } from '../../foundation/db/index.ts';
import { readTogether } from '../../foundation/db/read-together.ts';
import { invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { mustSee, readableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import {
  type ContentRow,
  findById,
  findContents,
  type ListedRow,
  readBlob,
  type WantedContent,
} from '../store/index.ts';

export type Content = { file: ListedRow; content: Buffer };
export type ReadContent = (principal: Principal, projectId: string, id: string) => Promise<Content>;

/** Two at a time, so that one that waits for a lock or the disk does not hold up all others. */
const atOnce = { queries: 2, most: 32 };

/** Reads the content of a file as it is now; downloads of the same moment share a query. */
export function contentReader(db: Db): ReadContent {
  const find = readTogether((wanted: WantedContent[]) => findContents(db, wanted), atOnce);

  async function deflatedOf({ blob_sha, deflated }: ContentRow, projectId: string): Promise<Buffer> {
    if (deflated) return deflated;
    const blob = await readBlob(db, projectId, blob_sha);
    if (!blob) throw notFound('File');
    return blob.deflated;
  }

  return async ({ userId }, projectId, id) => {
    const known = isId('prj', projectId) && isId('fil', id);
    const row = known ? await find({ projectId, id, userId }) : undefined;
    if (!row) {
      // Which of the two is missing is only told to those who may see the project.
      await readableProject(db, projectId, userId);
      const directory = isId('dir', id) ? await findById(db, projectId, id) : undefined;
      throw directory ? invalid('file_id', 'is a directory, which has no content') : notFound('File');
    }
    mustSee(row, userId);
    return { file: row, content: await inflateObjectAsync(await deflatedOf(row, projectId), row.size) };
  };
}
