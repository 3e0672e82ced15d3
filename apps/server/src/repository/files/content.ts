import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../foundation/http/app-error.ts';
import { nameOf } from '../store/index.ts';
import { etagOf } from './files.view.ts';
import { matches } from './preconditions.ts';
import type { Content } from './read-content.service.ts';

/**
 * The stored bytes with their type, in a way that no stored page can act as ours: the browser must not guess another
 * type, and a sandbox without scripts holds whatever it shows.
 */
export function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, content }: Content,
  { download }: { download: boolean },
): FastifyReply {
  const etag = file.checksum ? etagOf(file.checksum) : undefined;
  reply
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
    .header('content-disposition', disposition(nameOf(file.path), download))
    .header('last-modified', file.updated_at.toUTCString())
    .header('accept-ranges', 'bytes');
  if (etag) reply.header('etag', etag);
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined && file.checksum && matches(noneMatch, file.checksum)) return reply.code(304).send();
  reply.type(typeWithCharset(file.mime_type));
  const range = wantedRange(request, etag, content.length);
  if (!range) return reply.send(content);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.first}-${range.last}/${content.length}`)
    .send(content.subarray(range.first, range.last + 1));
}

const typeWithCharset = (type: string): string =>
  /^text\/|^application\/(json|javascript|xml)|\+(json|xml)$/.test(type) ? `${type}; charset=utf-8` : type;

/** RFC 6266: a plain name for old clients, the true one beside it. */
function disposition(name: string, download: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `${download ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(name)}`;
}

const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** One range, as RFC 9110 14.2 allows; several, or an If-Range that does not hold, get the whole. */
function wantedRange(request: FastifyRequest, etag: string | undefined, size: number) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  // The last before the first is no range at all; one that begins behind the end is.
  if (from !== '' && to !== '' && Number(to) < first) return null;
  if (first > last || first >= size) {
    throw new AppError('VALIDATION_ERROR', 'The range is outside of the file', {
      status: 416,
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return { first, last };
}
