import type { File, WriteFile } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callRaw, linkTo } from '../api/client.ts';
import type { Place } from '../api/project.ts';

const largestText = 2 * 1024 * 1024;
/** Largest text that can be read, in bytes. It is above the limit for editing. */
const largestRead = 10 * 1024 * 1024;

type StoredText = { text: string; etag: string };
export type FileContent = ({ kind: 'text' } & StoredText) | { kind: 'image' | 'binary' | 'large' | 'huge' };

const content = 'GET /projects/{project_id}/files/{file_id}/content';

const asked = ({ projectId, ...on }: Place, fileId: string) => ({
  params: { project_id: projectId, file_id: fileId },
  query: on,
});

export const contentLink = (place: Place, fileId: string): string => linkTo(content, asked(place, fileId));

export function downloadLink(place: Place, fileId: string): string {
  const { params, query } = asked(place, fileId);
  return linkTo(content, { params, query: { ...query, download: true } });
}

export async function readText(place: Place, fileId: string, signal?: AbortSignal): Promise<StoredText> {
  const answer = await callRaw(content, { ...asked(place, fileId), signal });
  return { text: await answer.text(), etag: answer.headers.get('etag') ?? '' };
}

export const isText = (text: string): boolean => !text.includes('\0') && !text.includes('\ufffd');

/** Reads a text piece by piece, as it arrives. No piece ends between the two characters of a line end. */
export async function* readPieces(place: Place, fileId: string, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await callRaw(content, { ...asked(place, fileId), signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let kept = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const piece = kept + read.value;
    kept = piece.endsWith('\r') ? '\r' : '';
    yield kept ? piece.slice(0, -1) : piece;
  }
  if (kept) yield kept;
}

export async function readBytes(place: Place, fileId: string): Promise<Blob> {
  const answer = await callRaw(content, asked(place, fileId));
  return answer.blob();
}

/**
 * Reads a file's content. It is not cached: opening a file reads it again, so that a save is based on the stored
 * content.
 */
export const contentQuery = (place: Place, file: File) =>
  queryOptions({
    queryKey: ['projects', place.projectId, 'content', file.id, file.checksum, place.branch],
    queryFn: async ({ signal }): Promise<FileContent> => {
      if (/^image\/(?!svg)/.test(file.mime_type ?? '')) return { kind: 'image' };
      const { size } = file;
      if (size && size > largestText) return { kind: size > largestRead ? 'huge' : 'large' };
      const stored = await readText(place, file.id, signal);
      if (!isText(stored.text)) return { kind: 'binary' };
      return { kind: 'text', ...stored };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const writeText = ({ projectId, ...on }: Place, text: WriteFile, headers: Record<string, string>) =>
  call('PUT /projects/{project_id}/files', { params: { project_id: projectId }, body: { ...text, ...on }, headers });

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Saves a text. Sends the ETag of the text on which the change is based, so that somebody else's change is never
 * overwritten unnoticed. A file that no longer exists has no ETag.
 */
export const saveText = (place: Place, { path, text, etag }: StoredText & { path: string }) =>
  writeText(
    place,
    { path, content: text, message: `Update ${nameOf(path)}` },
    etag === '' ? { 'if-none-match': '*' } : { 'if-match': etag },
  );

export const createText = (place: Place, path: string) =>
  writeText(place, { path, content: '', message: `Create ${nameOf(path)}` }, { 'if-none-match': '*' });

export const uploadBytes = ({ projectId, ...on }: Place, path: string, bytes: Blob) =>
  call('PUT /projects/{project_id}/files', { params: { project_id: projectId }, query: { path, ...on }, bytes });

export const checksumOf = (etag: string): string => etag.replaceAll('"', '');

export const etagOf = ({ checksum }: Pick<File, 'checksum'>): string => `"${checksum ?? ''}"`;
