import { hash } from 'node:crypto';
import { AppError, invalid } from '../../foundation/http/index.ts';
import { deflateObjectAsync, hashObject } from '../objects/objects.ts';

/** A file's content with everything that can be computed before a lock is taken. */
export type Blob = { sha: Buffer; size: number; deflated: Buffer; checksum: Buffer; content: Buffer };

export async function prepareBlob(content: Buffer): Promise<Blob> {
  return {
    sha: hashObject('blob', content),
    size: content.length,
    deflated: await deflateObjectAsync(content),
    checksum: hash('sha256', content, 'buffer'),
    content,
  };
}

type Encoded = { content: string; encoding?: string | undefined; field: string; limit: number };

export function decodeContent({ content, encoding, field, limit }: Encoded): Buffer {
  if (encoding?.toLowerCase() === 'base64') return mustFit(decodeBase64(content, field), limit);
  if (!content.isWellFormed()) throw invalid(field, 'contains an unpaired surrogate, which UTF-8 cannot encode');
  return mustFit(Buffer.from(content, 'utf8'), limit);
}

/**
 * Searches for one invalid character. A regular expression that matches the whole text in groups would overflow the
 * stack for a file of some megabytes.
 */
function decodeBase64(content: string, field: string): Buffer {
  const compact = content.replaceAll(/[\r\n]/g, '');
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  const digits = compact.slice(0, compact.length - padding);
  if (compact.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits)) throw invalid(field, 'is not valid base64');
  return Buffer.from(digits, 'base64');
}

export function mustFit(content: Buffer, limit: number): Buffer {
  if (content.length <= limit) return content;
  throw new AppError('VALIDATION_ERROR', `A file can have at most ${limit} bytes`, { status: 413 });
}
