import type { File, WrittenFile } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const largestText = 2 * 1024 * 1024;

export type FileContent = { kind: 'text'; text: string; etag: string } | { kind: 'image' | 'binary' | 'large' };

export const contentAddress = (projectId: string, fileId: string): string =>
  `/projects/${projectId}/files/${fileId}/content`;

export const downloadAddress = (projectId: string, fileId: string): string =>
  `/v1${contentAddress(projectId, fileId)}?download=true`;

/** Not kept: what is opened is read anew, so that a save begins from what is stored. */
export const contentQuery = (projectId: string, file: File) =>
  queryOptions({
    queryKey: ['projects', projectId, 'content', file.id, file.checksum],
    queryFn: async ({ signal }): Promise<FileContent> => {
      if (/^image\/(?!svg)/.test(file.mime_type ?? '')) return { kind: 'image' };
      if ((file.size ?? 0) > largestText) return { kind: 'large' };
      const answer = await api.raw(contentAddress(projectId, file.id), { signal });
      const text = await answer.text();
      if (text.includes('\0') || text.includes('\ufffd')) return { kind: 'binary' };
      return { kind: 'text', text, etag: answer.headers.get('etag') ?? '' };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** With the ETag of what the change began from, so that a change of somebody else is never overwritten unseen. */
export const saveText = (projectId: string, { path, text, etag }: { path: string; text: string; etag: string }) =>
  api.put<WrittenFile>(`/projects/${projectId}/files`, {
    json: { path, content: text },
    headers: { 'if-match': etag },
  });

export const createText = (projectId: string, path: string) =>
  api.put<WrittenFile>(`/projects/${projectId}/files`, {
    json: { path, content: '' },
    headers: { 'if-none-match': '*' },
  });

export const uploadBytes = (projectId: string, path: string, bytes: Blob) =>
  api.put<WrittenFile>(`/projects/${projectId}/files`, {
    query: { path },
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });

export const etagOf = ({ checksum }: Pick<File, 'checksum'>): string => `"${checksum ?? ''}"`;
