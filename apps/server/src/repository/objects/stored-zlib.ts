/**
 * A zlib stream of one uncompressed block (RFC 1950, RFC 1951 3.2.4). A commit or a small tree has a few hundred bytes,
 * which are mostly hashes. So setting up a compressor costs more than it saves. Every zlib reader, including git,
 * accepts such a stream.
 */
const headerBytes = 7;
const trailerBytes = 4;

/** Most bytes of such a stream's content, because a block's length has 16 bits. */
export const largestBlock = 65_535;

/** Creates such a stream. */
export function storedZlib(content: Buffer): Buffer {
  const { length } = content;
  const stream = Buffer.allocUnsafe(headerBytes + length + trailerBytes);
  stream.writeUInt16BE(0x7801, 0);
  stream[2] = 1; // the last block, not compressed
  stream.writeUInt16LE(length, 3);
  stream.writeUInt16LE(~length & 0xffff, 5);
  content.copy(stream, headerBytes);
  stream.writeUInt32BE(adler32(content), headerBytes + length);
  return stream;
}

/** The content, or null if the stream is of another kind. */
export function readStoredZlib(stream: Buffer): Buffer | null {
  if (stream.length < headerBytes + trailerBytes || stream[0] !== 0x78 || stream[2] !== 1) return null;
  const length = stream.readUInt16LE(3);
  if (stream.length !== headerBytes + length + trailerBytes) return null;
  return stream.subarray(headerBytes, headerBytes + length);
}

/**
 * The checksum of a zlib stream. The sums stay below 2^53 for far more bytes than a block can have, so one division at
 * the end is enough.
 */
function adler32(content: Buffer): number {
  let a = 1;
  let b = 0;
  // An index loop, because iterating over the bytes takes three times as long.
  for (let index = 0; index < content.length; index++) {
    a += content[index] as number;
    b += a;
  }
  return (b % 65_521) * 65_536 + (a % 65_521);
}
