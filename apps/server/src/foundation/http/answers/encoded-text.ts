import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../concurrency/once.ts';
import { acceptsEncoding } from './accepted-encoding.ts';

type EncodedText = { etag: string; encoding: 'br' | 'gzip' | null; body: Buffer };

export type Encodings = (accepted: string | undefined) => Promise<EncodedText>;

/** Brotli quality for a text that is compressed once. The best quality (11) would occupy a thread for seconds. */
const goodEnough = 5;

/** A large text that stays the same while the service runs. It is built once, and compressed once per encoding. */
export function rememberEncodings(makeText: () => string | Promise<string>, quality = goodEnough): Encodings {
  const encodings = once(async (): Promise<Record<'br' | 'gzip' | 'identity', EncodedText>> => {
    const text = Buffer.from(await makeText());
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const [br, zipped] = await Promise.all([promisify(brotliCompress)(text, { params }), promisify(gzip)(text)]);
    return {
      br: { etag: `"${tag}-br"`, encoding: 'br', body: br },
      gzip: { etag: `"${tag}-gzip"`, encoding: 'gzip', body: zipped },
      identity: { etag: `"${tag}"`, encoding: null, body: text },
    };
  });

  return async (accepted) => {
    const all = await encodings();
    if (acceptsEncoding(accepted, 'br')) return all.br;
    return acceptsEncoding(accepted, 'gzip') ? all.gzip : all.identity;
  };
}

/** Sends a text that `rememberEncodings` has prepared. If the client already has it, sends no body. */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  { encodings, type }: { encodings: Encodings; type: string },
): Promise<FastifyReply> {
  const { etag, encoding, body } = await encodings(request.headers['accept-encoding']);
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(`${type}; charset=utf-8`).send(body);
}

export const sendEncodedJson = (request: FastifyRequest, reply: FastifyReply, encodings: Encodings) =>
  sendEncoded(request, reply, { encodings, type: 'application/json' });
