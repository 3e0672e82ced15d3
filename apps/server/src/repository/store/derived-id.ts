import { createHash } from 'node:crypto';

/** Derives the id of an entry without a row from its path. Such entries are on branches, in tags and in commits. */
export function derivedId(kind: 'fil' | 'dir', projectId: string, path: string): string {
  const digest = createHash('sha256').update(`${projectId}\0${path}`).digest('hex');
  return `${kind}_${digest.slice(0, 26)}`;
}
