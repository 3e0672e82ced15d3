import type { File, WriteFile } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callRaw, linkTo } from '../api/client.ts';

const largestText = 2 * 1024 * 1024;

type StoredText = { text: string; etag: string };
export type FileContent = ({ kind: 'text' } & StoredText) | { kind: 'image' | 'binary' | 'large' };

const content = 'GET /projects/{project_id}/files/{file_id}/content';

export const contentLink = (projectId: string, fileId: string): string =>
  linkTo(content, { params: { project_id: projectId, file_id: fileId } });

export const downloadLink = (projectId: string, fileId: string): string =>
  linkTo(content, { params: { project_id: projectId, file_id: fileId }, query: { download: true } });

export async function readText(projectId: string, fileId: string, signal?: AbortSignal): Promise<StoredText> {
  const answer = await callRaw(content, { params: { project_id: projectId, file_id: fileId }, signal });
  return { text: await answer.text(), etag: answer.headers.get('etag') ?? '' };
}

export async function readBytes(projectId: string, fileId: string): Promise<Blob> {
  const answer = await callRaw(content, { params: { project_id: projectId, file_id: fileId } });
  return answer.blob();
}

/** Not cached: opening a file reads it again, so that a save begins from the stored content. */
export const contentQuery = (projectId: string, file: File) =>
  queryOptions({
    queryKey: ['projects', projectId, 'content', file.id, file.checksum],
    queryFn: async ({ signal }): Promise<FileContent> => {
      if (/^image\/(?!svg)/.test(file.mime_type ?? '')) return { kind: 'image' };
      if ((file.size ?? 0) > largestText) return { kind: 'large' };
      const stored = await readText(projectId, file.id, signal);
      if (stored.text.includes('\0') || stored.text.includes('\ufffd')) return { kind: 'binary' };
      return { kind: 'text', ...stored };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const writeText = (projectId: string, body: WriteFile, headers: Record<string, string>) =>
  call('PUT /projects/{project_id}/files', { params: { project_id: projectId }, body, headers });

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Sends the ETag that the change began from, so that somebody else's change is never overwritten unseen; none for a
 * file that no longer exists.
 */
export const saveText = (projectId: string, { path, text, etag }: StoredText & { path: string }) =>
  writeText(
    projectId,
    { path, content: text, message: `Update ${nameOf(path)}` },
    etag === '' ? { 'if-none-match': '*' } : { 'if-match': etag },
  );

export const createText = (projectId: string, path: string) =>
  writeText(projectId, { path, content: '', message: `Create ${nameOf(path)}` }, { 'if-none-match': '*' });

export const uploadBytes = (projectId: string, path: string, bytes: Blob) =>
  call('PUT /projects/{project_id}/files', { params: { project_id: projectId }, query: { path }, bytes });

/** The ETag of a file at a commit. */
export async function etagAt(projectId: string, fileId: string, ref: string): Promise<string> {
  const answer = await callRaw(content, { params: { project_id: projectId, file_id: fileId }, query: { ref } });
  return answer.headers.get('etag') ?? '';
}

export const checksumOf = (etag: string): string => etag.replaceAll('"', '');

export const etagOf = ({ checksum }: Pick<File, 'checksum'>): string => `"${checksum ?? ''}"`;
