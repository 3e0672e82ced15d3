import type { IncomingHttpHeaders } from 'node:http';

/** Headers of requests for stored bytes, and of the responses to them. */

/**
 * Parses a single range (RFC 9110 14.2). Null means the whole content: no range was requested, there are several, or
 * If-Range does not match.
 */
export function wantedRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string | undefined,
  size: number,
): { first: number; last: number } | 'outside' | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  // If the last byte is before the first, the header is not a valid range and is ignored. A range that begins after the
  // end of the content is valid but cannot be satisfied.
  if (from !== '' && to !== '' && Number(to) < first) return null;
  return first > last ? 'outside' : { first, last };
}

/** Whether If-Match or If-None-Match names this content. */
export function namesEtag(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

export const typeWithCharset = (type: string): string =>
  /^text\/|^application\/(json|javascript|xml)|\+(json|xml)$/.test(type) ? `${type}; charset=utf-8` : type;
