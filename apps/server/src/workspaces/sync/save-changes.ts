import { mergeOf, textOf } from '../../collaboration/texts/index.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { AppError, causeOfRun } from '../../foundation/http/index.ts';
import { isOfProtection } from '../../projects/access/index.ts';
import { isBinary } from '../../repository/objects/line-changes.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { type HeadAt, isMain } from '../../repository/objects/ref-names.ts';
import { type Change, type FileWrites, fileAtHead, prepareBlob, writeFiles } from '../../repository/store/index.ts';
import { blobShaOf } from './branch-files.ts';
import type { Reported } from './disk-link.ts';
import { principalOfWorkspace } from './principal.ts';

/** A change on the disk, and the content on which the change is based. */
export type DiskChange = Reported & { base: Buffer | null };

/** Changes that the service refused, with the reason. */
export type Refused = { path: string; reason: string };

/** The number of commits that may still be tried. */
export type Attempts = { left: number };

type Options = { writes: FileWrites; at: HeadAt; userId: string; attempts: Attempts };

/**
 * Commits changes to the branch. If the branch has changed too, both changes are merged, in the same way as a push is
 * merged into a live text. All changes are one commit. If it is refused, each half is tried separately, and so on, as
 * long as there are attempts left.
 */
export async function saveChanges(options: Options, changes: DiskChange[]): Promise<Refused[]> {
  if (changes.length === 0) return [];
  try {
    options.attempts.left -= 1;
    await commit(options, changes);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Halves are not tried on a protected branch, because it refuses every part for the same reason.
    if (changes.length === 1 || options.attempts.left <= 0 || isOfProtection(error)) {
      return changes.map(({ path }) => ({ path, reason: error.message }));
    }
    const half = Math.ceil(changes.length / 2);
    return [
      ...(await saveChanges(options, changes.slice(0, half))),
      ...(await saveChanges(options, changes.slice(half))),
    ];
  }
}

async function commit({ writes, at, userId }: Options, changes: DiskChange[]): Promise<void> {
  await writeFiles(writes, {
    principal: principalOfWorkspace(userId),
    projectId: at.projectId,
    ...(isMain(at) ? {} : { branch: at.branch }),
    cause: causeOfRun(userId),
    message: messageOf(changes),
    changes: async (trx) => {
      const planned: Change[] = [];
      for (const change of changes) {
        const plan = await planOf(trx, at, change);
        if (plan) planned.push(plan);
      }
      return planned;
    },
  });
}

/** The change to commit. Null if the branch needs no change. */
async function planOf(db: Queries, at: HeadAt, { path, sha, exec, content, base }: DiskChange): Promise<Change | null> {
  const head = await fileAtHead(db, at, path);
  const headSha = head?.blob_sha.toString('hex') ?? null;
  if (headSha === sha) return null;
  if (content === null) {
    // If somebody else changed the file that a program deleted, the file stays.
    const isUnchanged = head && base && headSha === blobShaOf(base);
    return isUnchanged ? { action: 'delete', path } : null;
  }
  const theirs = head ? await inflateObjectAsync(head.deflated, head.size) : null;
  const merged = merge(base, theirs, content);
  if (theirs?.equals(merged)) return null;
  return { action: 'put', path, blob: await prepareBlob(merged), expect: 'any', executable: exec };
}

/**
 * Merges the branch's content and the disk's. Contents that are not text cannot be merged: the disk's is newer, so it
 * wins, and the other one stays in the history.
 */
function merge(base: Buffer | null, head: Buffer | null, disk: Buffer): Buffer {
  if (head === null || base === null || head.equals(base) || [base, head, disk].some(isBinary)) return disk;
  const [ours, theirs] = [head.toString(), disk.toString()];
  return Buffer.from(mergeOf(base.toString(), ours, theirs).apply(textOf(ours)).toString());
}

function messageOf(changes: readonly Reported[]): string {
  const [only] = changes;
  const name = only?.path.slice(only.path.lastIndexOf('/') + 1) ?? '';
  if (changes.length > 1) return `Change ${changes.length} files in a workspace`;
  return only?.content === null ? `Delete ${name} in a workspace` : `Change ${name} in a workspace`;
}
