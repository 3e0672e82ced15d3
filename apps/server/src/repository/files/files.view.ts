import type { File, WrittenFile } from '@bottega/contract';
import { type HeadFile, type ListedRow, nameOf } from '../store/index.ts';

export function asFile(row: ListedRow): File {
  const { id, path, type, created_at, updated_at } = row;
  return {
    id,
    name: nameOf(path),
    path,
    type,
    ...(type === 'file' && row.checksum && { size: row.size, mime_type: row.mime_type }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    ...(row.checksum && { checksum: checksumText(row.checksum) }),
  };
}

/** The response to a write. It contains the branch only if the request did. */
export function asWrittenFile(
  file: HeadFile,
  { commit, branch }: { commit: Buffer | null; branch?: string | undefined },
): WrittenFile {
  return {
    id: file.id,
    name: nameOf(file.path),
    path: file.path,
    type: 'file',
    size: file.size,
    mime_type: file.mimeType,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
    checksum: checksumText(file.checksum),
    commit_sha: commit?.toString('hex') ?? null,
    ...(branch !== undefined && { branch }),
  };
}

export const checksumText = (checksum: Buffer): string => `sha256:${checksum.toString('hex')}`;

export const etagOf = (checksum: Buffer): string => etagOfText(checksumText(checksum));

export const etagOfText = (checksum: string): string => `"${checksum}"`;
