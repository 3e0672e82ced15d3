import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import type { Pieces } from '../pieces/index.ts';
import { readArtifactChunks, readArtifactContent } from './artifacts.service.ts';
import { listArtifactFiles } from './artifacts.sql.ts';

/**
 * The files of a server app in an empty directory, as the build left them. It is done once, before anything of the app
 * runs: what is started again finds what the run before has left. Links come last, so that nothing is written through
 * one, and nothing is written over something that is there.
 */
export async function restoreArtifact(
  { db, pieces }: { db: Db; pieces: Pieces },
  { projectId, artifactId }: { projectId: string; artifactId: string },
  directory: string,
): Promise<void> {
  const files = await listArtifactFiles(db, artifactId);
  const ours = files.filter(({ path }) => path.startsWith('/') && !path.split('/').includes('..'));
  for (const { path, kind, chunks } of ours) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true });
    if (kind === 'link') continue;
    const mode = kind === 'executable' ? 0o755 : 0o644;
    await writeFile(place, readArtifactChunks(pieces, projectId, chunks), { mode, flag: 'wx' });
  }
  for (const { path, kind, chunks } of ours) {
    if (kind !== 'link') continue;
    await symlink((await readArtifactContent(pieces, projectId, chunks)).toString(), join(directory, path));
  }
}
