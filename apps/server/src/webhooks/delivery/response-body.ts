import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const decoders: Record<string, () => NodeJS.ReadWriteStream & { destroy(): void }> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Returns the first bytes of a response as text. The limit applies to the output of the decoder, and decoding stops
 * there. So a small body that unpacks to gigabytes costs no more than any other. A body that cannot be decoded is
 * returned as it is.
 */
export async function bodyText(raw: Buffer, encoding: string | undefined, limit: number): Promise<string> {
  const name = encoding?.trim().toLowerCase();
  const decoder = name === undefined ? undefined : decoders[name];
  const bytes = decoder ? ((await decoded(raw, decoder(), limit)) ?? raw) : raw;
  // PostgreSQL cannot store NUL. A character that was cut becomes a replacement character.
  return bytes.subarray(0, limit).toString('utf8').replaceAll('\0', '\ufffd');
}

function decoded(
  raw: Buffer,
  decoder: NodeJS.ReadWriteStream & { destroy(): void },
  limit: number,
): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => {
    decoder.destroy();
    resolve(Buffer.concat(chunks));
  };
  decoder.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) finish();
  });
  decoder.on('end', finish);
  // A body that we cut off ends in the middle of the stream. The output up to there is valid.
  decoder.on('error', () => resolve(size > 0 ? Buffer.concat(chunks) : null));
  decoder.end(raw);
  return promise;
}
