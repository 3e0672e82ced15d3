import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Db } from '../db/pool.ts';
import { resolveCommit } from '../files/index.ts';
import { notFound } from '../http/app-error.ts';
import type { Principal } from '../http/principal.ts';
import { readableProject } from '../projects/index.ts';
import { GitError, startGit } from './git-process.ts';
import { rootTree } from './git-store.sql.ts';
import { emptyTree } from './push-rules.ts';
import type { Fetches } from './upload-pack.ts';

export type ArchiveFormat = 'zip' | 'tar.gz';

export type Archive = { projectId: string; treeish: string; name: string; format: ArchiveFormat };

/** What is to be packed: a commit, where there is one of just these files, since it dates them; else their tree. */
export async function findArchive(
  db: Db,
  { userId }: Principal,
  projectId: string,
  { ref, format }: { ref: string | undefined; format: ArchiveFormat },
): Promise<Archive> {
  const project = await readableProject(db, projectId, userId);
  const commit = await resolveCommit(db, projectId, ref ?? 'main');
  if (!commit && ref !== undefined) throw notFound('Ref');
  const root = (await rootTree(db, projectId)) ?? emptyTree;
  const isCommitted = ref !== undefined || commit?.tree_sha.equals(root);
  const treeish = commit && isCommitted ? commit.sha : root;
  const plain = project.name.normalize('NFKD').replaceAll(/[^\w.-]+/g, '-');
  const name = plain.replaceAll(/^[-.]+|[-.]+$/g, '') || project.id;
  return { projectId, treeish: treeish.toString('hex'), name, format };
}

/** Packed while it is sent; the repository stays until the last byte has gone out, or the client has. */
export function streamArchive(
  { git, caches }: Fetches,
  { projectId, treeish, name, format }: Archive,
  { signal, send }: { signal: AbortSignal; send: (archive: Readable) => void },
): Promise<void> {
  return caches.withCache(projectId, async (directory) => {
    const kind = format === 'zip' ? 'zip' : 'tar';
    const args = ['archive', `--format=${kind}`, `--prefix=${name}/`, treeish];
    const packing = startGit(git, [`--git-dir=${directory}`, ...args], { signal });
    const stream = format === 'zip' ? packing.stdout : packing.stdout.pipe(createGzip());
    packing.stdin.end();
    send(stream);
    const { ok, words } = await packing.ended;
    if (ok || signal.aborted) return;
    // The answer has begun; breaking it off is the only way left to say that it is not whole.
    stream.destroy();
    throw new GitError(words);
  });
}
