import { createHash } from 'node:crypto';
import { deflateObjectAsync, hashObject } from '../git/objects.ts';
import { AppError, invalid } from '../http/app-error.ts';

/** A file's content, ready to be stored: everything that can be computed before a lock is taken. */
export type Blob = { sha: Buffer; size: number; deflated: Buffer; checksum: Buffer; content: Buffer };

export async function prepareBlob(content: Buffer): Promise<Blob> {
  return {
    sha: hashObject('blob', content),
    size: content.length,
    deflated: await deflateObjectAsync(content),
    checksum: createHash('sha256').update(content).digest(),
    content,
  };
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Encoded = { content: string; encoding: 'utf-8' | 'base64' | undefined; field: string; limit: number };

export function decodeContent({ content, encoding, field, limit }: Encoded): Buffer {
  if (encoding === 'base64') {
    const compact = content.replace(/[\r\n]/g, '');
    if (!base64.test(compact)) throw invalid(field, 'is not valid base64');
    return mustFit(Buffer.from(compact, 'base64'), limit);
  }
  if (/\p{Cs}/u.test(content)) throw invalid(field, 'has half of a surrogate pair, which UTF-8 cannot hold');
  return mustFit(Buffer.from(content, 'utf8'), limit);
}

export function mustFit(content: Buffer, limit: number): Buffer {
  if (content.length <= limit) return content;
  throw new AppError('VALIDATION_ERROR', `A file may have at most ${limit} bytes`, { status: 413 });
}
