/** The framing of git's protocols: four hexadecimal digits with the total length, then the data. */

const maxData = 65_516;
const maxSideband = maxData - 1;

export const flushPkt = Buffer.from('0000');
export const delimPkt = Buffer.from('0001');

export class PktLineError extends Error {
  override readonly name = 'PktLineError';
}

/** Sends the text as it is. The caller adds the newline that git expects at the end of a line. */
export function pktLine(data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  if (bytes.length > maxData) throw new PktLineError(`a packet line of ${bytes.length} bytes is too long`);
  return Buffer.concat([lengthPrefix(bytes.length), bytes]);
}

/** Data for one channel (1 pack, 2 progress, 3 fatal error), split into packets in order. Large data is not copied. */
export function sideband(channel: 1 | 2 | 3, data: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < data.length; at += maxSideband) {
    const part = data.subarray(at, at + maxSideband);
    packets.push(Buffer.concat([lengthPrefix(part.length + 1), Buffer.of(channel)]), part);
  }
  return packets;
}

export type PktReader = {
  /** The next line, with its newline if it has one. A flush and the end of the stream have different results. */
  next(): Promise<Buffer | 'flush' | 'delim' | 'end'>;
  /** The bytes after the lines that were read: the next section, or a pack. */
  rest(): AsyncGenerator<Buffer>;
};

/**
 * Reads packet lines from a stream. Every byte is read once, however small the chunks are, and at most one packet is in
 * memory. Broken framing throws a `PktLineError`. The caller limits the number of lines.
 */
export function readPktLines(stream: AsyncIterable<Buffer>): PktReader {
  const chunks = stream[Symbol.asyncIterator]();
  let parts: Buffer[] = [];
  let held = 0;

  /** Reads exactly this many bytes, or fewer at the end of the stream. */
  async function take(bytes: number): Promise<Buffer> {
    while (held < bytes) {
      const { done, value } = await chunks.next();
      if (done) break;
      parts.push(value);
      held += value.length;
    }
    const joined = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, held);
    const taken = joined.subarray(0, bytes);
    held -= taken.length;
    parts = held > 0 ? [joined.subarray(bytes)] : [];
    return taken;
  }

  return {
    async next() {
      const prefix = await take(4);
      if (prefix.length === 0) return 'end';
      const length = readLength(prefix);
      if (length === 0) return 'flush';
      if (length === 1) return 'delim';
      // 2 ends a response, which no client sends; 3 does not exist.
      if (length < 4 || length > maxData + 4) throw new PktLineError(`the packet length ${length} is not valid`);
      const line = await take(length - 4);
      if (line.length < length - 4) throw new PktLineError('a packet is incomplete');
      return line;
    },
    async *rest() {
      yield* parts;
      parts = [];
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    },
  };
}

function lengthPrefix(dataLength: number): Buffer {
  return Buffer.from((dataLength + 4).toString(16).padStart(4, '0'));
}

function readLength(prefix: Buffer): number {
  const digits = prefix.toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new PktLineError('a packet does not begin with its length');
  return Number.parseInt(digits, 16);
}
