import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEtag, typeWithCharset, wantedRange } from '../../foundation/http/answers/content-headers.ts';
import { AppError } from '../../foundation/http/index.ts';
import { nameOf } from '../store/index.ts';
import { etagOf } from './files.view.ts';
import type { Content } from './read-content.service.ts';

const longestPiece = 16_384;

/**
 * Sends stored bytes with their type. A stored page must not be able to act as a page of the service. So the browser is
 * told not to guess another type, and to show the page in a sandbox without scripts.
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, load }: Content,
  { download }: { download: boolean },
): Promise<void> {
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
  if (noneMatch !== undefined && etag && namesEtag(noneMatch, etag)) {
    reply.code(304).send();
    return;
  }
  const content = await load();
  reply.type(typeWithCharset(file.mime_type));
  const range = wantedRange(request.headers, etag, content.length);
  if (range === 'outside') {
    const headers = { 'content-range': `bytes */${content.length}` };
    throw new AppError('VALIDATION_ERROR', 'The range is outside the file', { status: 416, headers });
  }
  if (!range) {
    reply.send(asPayload(content));
    return;
  }
  reply
    .code(206)
    .header('content-range', `bytes ${range.first}-${range.last}/${content.length}`)
    .send(content.subarray(range.first, range.last + 1));
}

/**
 * A short text is sent as a string, in one write with its headers. A buffer would need a second write, which costs as
 * much as the first.
 */
const asPayload = (content: Buffer): Buffer | string =>
  content.length <= longestPiece && isUtf8(content) ? content.toString() : content;

/** The Content-Disposition header of RFC 6266: an ASCII name for old clients, followed by the real name. */
function disposition(name: string, download: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `${download ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(name)}`;
}

const encodeRfc5987 = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
