import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db } from '../../foundation/db/index.ts';
import type { Pieces } from '../pieces/index.ts';
import { readArtifactChunks, readArtifactContent } from './artifacts.service.ts';
import { listArtifactFiles } from './artifacts.sql.ts';

/**
 * Writes a server app's files into an empty directory, as the build left them. It runs once, before the app starts. An
 * app that is restarted finds the files of its previous run. Links are written last, so that nothing is written through
 * a link. No existing file is overwritten.
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
