import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acceptsEncoding } from '../../foundation/http/answers/accepted-encoding.ts';
import { namesEtag, typeWithCharset, wantedRange } from '../../foundation/http/answers/content-headers.ts';
import type { ArtifactFile } from '../artifacts/index.ts';
import { encodedPath } from '../state/index.ts';
import type { AppAddress } from './address.ts';
import { sharedOrigin } from './answer-headers.ts';
import type { Contents, Encoding } from './contents.ts';
import { plainPage } from './pages.ts';
import type { Target } from './targets.sql.ts';

type Found = { file: ArtifactFile; status: 200 | 404 } | { redirect: string } | null;

/** Serves one request for a file of an artifact. */
export async function serveStatic(
  contents: Contents,
  { target, address }: { target: Target; address: AppAddress },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return plainPage(response, 405, 'This site accepts only GET and HEAD');
  }
  const [sent = ''] = address.path.split('?', 1);
  const path = decoded(sent);
  if (path === null) return plainPage(response, 400, 'The URL has an invalid percent-encoding');
  const file = await find(contents, target, path);
  if (!file) return plainPage(response, 404, 'There is nothing at this address');
  if ('redirect' in file) {
    const query = address.path.slice(sent.length);
    const location = `${address.prefix}${encodedPath(file.redirect)}${query}`;
    response.writeHead(308, { location, 'cache-control': 'no-cache' }).end();
    return;
  }
  await sendFile(contents, target, { ...file, address }, request, response);
}

/**
 * Finds one of these: the file itself; the index of a directory, at a URL with a trailing slash, so that relative links
 * work; a page without its extension; the single page of a single-page app; or the site's own page for missing paths.
 */
async function find(contents: Contents, target: Target, path: string): Promise<Found> {
  const at = (place: string) => contents.file(target, place);
  const exact = path.endsWith('/') ? await at(`${path}index.html`) : await at(path);
  if (exact && exact.kind !== 'link') return { file: exact, status: 200 };
  if (!path.endsWith('/')) {
    const page = await at(`${path}.html`);
    if (page) return { file: page, status: 200 };
    if (await at(`${path}/index.html`)) return { redirect: `${path.replace(/^\/+/, '/')}/` };
  }
  const fallback = target.spa ? await at('/index.html') : null;
  if (fallback) return { file: fallback, status: 200 };
  const missing = await at('/404.html');
  return missing ? { file: missing, status: 404 } : null;
}

function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path === '' ? '/' : path);
    return text.includes('\0') || text.includes('\ufffd') ? '/\ufffd' : text;
  } catch {
    return null;
  }
}

type Sent = { file: ArtifactFile; status: 200 | 404; address: AppAddress };

async function sendFile(
  contents: Contents,
  target: Target,
  { file, status, address }: Sent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const encoding = request.headers.range === undefined ? encodingFor(request, file) : null;
  const etag = `"${file.checksum.toString('base64url')}${encoding ? `-${encoding}` : ''}"`;
  const headers: Record<string, string | number> = {
    etag,
    'cache-control': cacheControl(file, address),
    'content-type': typeWithCharset(file.mime_type),
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    'accept-ranges': 'bytes',
    ...(encoding && { 'content-encoding': encoding }),
    ...(address.prefix !== '' && sharedOrigin),
  };
  const noneMatch = request.headers['if-none-match'];
  if (status === 200 && noneMatch !== undefined && namesEtag(noneMatch, etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const size = (encoding === 'br' ? file.brotli_size : encoding === 'gzip' ? file.gzip_size : file.size) ?? file.size;
  const range = status === 200 ? wantedRange(request.headers, etag, size) : null;
  if (range === 'outside') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end();
    return;
  }
  headers['content-length'] = range ? range.last - range.first + 1 : size;
  if (range) headers['content-range'] = `bytes ${range.first}-${range.last}/${size}`;
  const begin = () => response.writeHead(range ? 206 : status, headers);
  if (request.method === 'HEAD') {
    begin().end();
    return;
  }
  const content = await contents.small(target, file, encoding);
  if (content) {
    begin().end(range ? content.subarray(range.first, range.last + 1) : content);
    return;
  }
  const pieces = contents.stream(target, file, encoding, range);
  // The first piece is read before anything is sent, so that an error can still get a proper response.
  const first = await pieces.next();
  await pipeline(Readable.from(startingWith(first, pieces)), begin()).catch(() => undefined);
}

async function* startingWith(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

const longestFingerprint = 100;

/** A file whose name contains a fingerprint never changes. Everything else is revalidated, which costs a 304. */
function cacheControl(file: ArtifactFile, { by }: AppAddress): string {
  const isPage = file.mime_type === 'text/html';
  // Only the end of the path is searched. On the whole path, the search would start again at each of a thousand
  // hyphens.
  const end = file.path.slice(-longestFingerprint);
  const hasFingerprint = /[-._][0-9a-zA-Z_-]{8,}\.[a-z0-9]+$/.test(end) && /\d/.test(file.path);
  const isForever = !isPage && (hasFingerprint || by === 'deployment');
  return isForever ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate';
}

function encodingFor(request: IncomingMessage, file: ArtifactFile): Encoding {
  const accepted = request.headers['accept-encoding'];
  if (file.brotli_chunks && acceptsEncoding(accepted, 'br')) return 'br';
  return file.gzip_chunks && acceptsEncoding(accepted, 'gzip') ? 'gzip' : null;
}
