import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { Db } from '../../foundation/db/index.ts';
import { AppError, notFound, type Principal } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { type Fetches, GitError, type GitProcess, startGit, tellsOfDamage } from '../cache/index.ts';
import { emptyTree } from '../objects/trees.ts';
import { headTree, measureTree, resolveCommit } from '../store/index.ts';

export type ArchiveFormat = 'zip' | 'tar.gz';

export type Archive = { projectId: string; treeish: string; name: string; format: ArchiveFormat };

/**
 * Finds what to pack: a commit with exactly these files, because a commit gives the archive a date. If there is none,
 * their tree.
 */
export async function findArchive(
  db: Db,
  { userId }: Principal,
  projectId: string,
  { ref, format }: { ref?: string; format: ArchiveFormat },
): Promise<Archive> {
  const project = await readableProject(db, projectId, userId);
  const commit = await resolveCommit(db, projectId, ref ?? 'main');
  if (!commit && ref !== undefined) throw notFound('Ref');
  const root = (await headTree(db, projectId)) ?? emptyTree;
  const isCommitted = ref !== undefined || commit?.tree_sha.equals(root);
  const treeish = commit && isCommitted ? commit.sha : root;
  await mustBePackable(db, projectId, commit && isCommitted ? commit.tree_sha : root);
  const plain = project.name.normalize('NFKD').replaceAll(/[^\w.-]+/g, '-');
  const name = plain.replaceAll(/^[-.]+|[-.]+$/g, '') || project.id;
  return { projectId, treeish: treeish.toString('hex'), name, format };
}

/** Largest archive, in bytes. A larger one would exceed git's time limit. */
const maxBytes = 4 * 1024 ** 3;
const longestMs = 5 * 60_000;

/** Throws if the archive would be too large. The same content may be at thousands of paths, and each copy is packed. */
async function mustBePackable(db: Db, projectId: string, tree: Buffer): Promise<void> {
  const { bytes } = await measureTree(db, projectId, tree);
  if (bytes > maxBytes) {
    throw new AppError('VALIDATION_ERROR', `The files have ${bytes} bytes; an archive can have at most ${maxBytes}`);
  }
}

/**
 * An archive contains the files unchanged. Attributes in the tree could make git omit files, or expand them a
 * thousandfold. These attributes, in the repository itself, take precedence.
 */
const plain = '* -export-ignore -export-subst -filter -ident -text -working-tree-encoding\n';

/**
 * Sends an archive while git packs it. The repository stays in the cache until the last byte is sent or the client has
 * disconnected.
 */
export function streamArchive(
  { git, caches }: Fetches,
  { projectId, treeish, name, format }: Archive,
  { signal, send }: { signal: AbortSignal; send: (archive: Readable) => void },
): Promise<void> {
  return caches.withCache(projectId, async (directory) => {
    await mkdir(join(directory, 'info'), { recursive: true });
    await writeFile(join(directory, 'info/attributes'), plain);
    const args = ['archive', `--format=${format}`, `--prefix=${name}/`, treeish];
    const packing = await startGit(git, [`--git-dir=${directory}`, ...args], { signal, timeoutMs: longestMs });
    packing.stdin.end();
    send(pipeline(packing.stdout, endsWith(packing), () => undefined));
    const { ok, words } = await packing.ended;
    // The client has already noticed that the response broke off.
    if (!ok && !signal.aborted && tellsOfDamage(words)) caches.distrust(projectId);
  });
}

/** An incomplete archive must not look complete, so the stream ends only after git has succeeded. */
const endsWith = ({ ended }: GitProcess): Transform =>
  new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void ended.then(({ ok, words }) => done(ok ? null : new GitError(words))),
  });
