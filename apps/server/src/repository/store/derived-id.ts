import { createHash } from 'node:crypto';

/** The id of an entry without a row, on a branch, in a tag or in a commit. It is derived from the path. */
export function derivedId(kind: 'fil' | 'dir', projectId: string, path: string): string {
  const digest = createHash('sha256').update(`${projectId}\0${path}`).digest('hex');
  return `${kind}_${digest.slice(0, 26)}`;
}
