import type { WritableProject } from '../../projects/index.ts';
import { decodeCommit, encodeCommit } from '../objects/commits.ts';
import { deflateObjectAsync, hashObject } from '../objects/objects.ts';
import { committedFields } from './commit-row.ts';
import type { HeadCommit } from './head.sql.ts';
import type { NewCommit, StoredObject } from './head-store.sql.ts';

type Actor = WritableProject['actor'];

/** As in a pack. */
export const typeNumbers = { commit: 1, tree: 2, blob: 3 } as const;

/** A commit by REST: its author is whoever acts. */
export function newCommit(
  { name, email }: Actor,
  { tree, parent, message, now }: { tree: Buffer; parent: HeadCommit | null; message: string; now: Date },
): { row: NewCommit; content: Buffer } {
  const author = { name, email, at: now };
  const parents = parent ? [parent.sha] : [];
  const content = encodeCommit({ tree, parents, author, committer: author, message });
  const row = {
    sha: hashObject('commit', content),
    tree_sha: tree,
    parents,
    generation: (parent?.generation ?? 0) + 1,
    ...committedFields(decodeCommit(content)),
  };
  return { row, content };
}

/** Trees and commits are mostly hashes, of which compression makes little: up to this they are stored as they are. */
const storedUpTo = 4096;

export async function asObject(type: keyof typeof typeNumbers, sha: Buffer, content: Buffer): Promise<StoredObject> {
  return {
    sha,
    type: typeNumbers[type],
    size: content.length,
    deflated: await deflateObjectAsync(content, storedUpTo),
    checksum: null,
  };
}
