import { findWrites, type WrittenFileEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { HeadFile } from './changes.ts';
import { insertGivenUp } from './passed-writes.sql.ts';
import type { Put, PutDone } from './put.ts';

/** What was made of those that had been made. */
export type TakenBack = ReadonlyMap<Put, WrittenFileEvent>;

/**
 * What other nodes have made of writes that were passed on to them and came back without an answer. The caller's
 * transaction holds the project's row: whatever they had begun has ended, and what they begin from now on finds the write
 * given up.
 */
export async function takeBack(trx: Trx, projectId: string, puts: Put[]): Promise<TakenBack> {
  const ids = puts.flatMap(({ passed }) => (passed?.isBack ? [passed.id] : []));
  if (ids.length === 0) return new Map();
  await insertGivenUp(trx, ids);
  const back = puts.filter(({ passed }) => passed?.isBack);
  const requestIds = back.map(({ cause }) => cause.requestId);
  const events = await findWrites(trx, projectId, requestIds);
  return new Map(
    back.flatMap((put) => {
      const made = events.findLast((one) => one.request_id === put.cause.requestId && one.file_path === put.path);
      return made ? [[put, made]] : [];
    }),
  );
}

/** The answer that was lost on the way. The file itself may have been changed since. */
export function asDone({ path, blob }: Put, made: WrittenFileEvent, present: HeadFile | null): PutDone {
  const file: HeadFile = {
    id: made.file_id,
    path,
    blobSha: blob.sha,
    checksum: blob.checksum,
    size: blob.size,
    mimeType: made.file_type,
    executable: present?.executable ?? false,
    createdAt: present?.id === made.file_id ? present.createdAt : made.created_at,
    updatedAt: made.created_at,
  };
  const isAsWritten = present?.id === made.file_id && present.checksum.equals(blob.checksum);
  return {
    file: isAsWritten ? present : file,
    created: made.type === 'file.created',
    commit: made.commit_sha === null ? null : Buffer.from(made.commit_sha, 'hex'),
  };
}
