/** The framing of git's protocols: four hexadecimal digits with the length of the whole, then the data. */

const maxData = 65_516;
const maxSideband = maxData - 1;

export const flushPkt = Buffer.from('0000');
export const delimPkt = Buffer.from('0001');

export class PktLineError extends Error {
  override readonly name = 'PktLineError';
}

/** Text is sent as it is given: the newline that git likes at the end of a line is the caller's. */
export function pktLine(data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  if (bytes.length > maxData) throw new PktLineError(`a packet line of ${bytes.length} bytes`);
  return Buffer.concat([lengthPrefix(bytes.length), bytes]);
}

/**
 * Data for one channel (1 pack, 2 progress, 3 fatal error) in as many packets as it takes, as a list to be written in
 * order. Large data is not copied.
 */
export function sideband(channel: 1 | 2 | 3, data: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < data.length; at += maxSideband) {
    const part = data.subarray(at, at + maxSideband);
    packets.push(Buffer.concat([lengthPrefix(part.length + 1), Buffer.of(channel)]), part);
  }
  return packets;
}

export type PktLines = {
  /** Views into the buffer, with a line's newline if it was sent with one. */
  lines: (Buffer | 'delim')[];
  /** Where the bytes after the flush begin: the next section, or a pack. */
  next: number;
  /** False where the buffer ended first: a fetch that ends in `done` has no flush after it. */
  flushed: boolean;
};

/**
 * The packet lines from `offset` up to a flush or the end of the buffer. Broken framing, a line that is cut off and more
 * than `maxLines` are refused with a `PktLineError`; how many bytes there may be is decided by who reads the body.
 */
export function readPktLines(buffer: Buffer, offset = 0, maxLines = 100_000): PktLines {
  const lines: (Buffer | 'delim')[] = [];
  let at = offset;
  while (at < buffer.length) {
    const length = readLength(buffer, at);
    if (length === 0) return { lines, next: at + 4, flushed: true };
    if (lines.length === maxLines) throw new PktLineError(`more than ${maxLines} packet lines`);
    if (length === 1) {
      lines.push('delim');
      at += 4;
      continue;
    }
    // 2 ends a response, which no client sends; 3 does not exist.
    if (length < 4 || length > maxData + 4) throw new PktLineError(`a packet length of ${length} at byte ${at}`);
    if (at + length > buffer.length) throw new PktLineError(`the packet at byte ${at} is cut off`);
    lines.push(buffer.subarray(at + 4, at + length));
    at += length;
  }
  return { lines, next: at, flushed: false };
}

function lengthPrefix(dataLength: number): Buffer {
  return Buffer.from((dataLength + 4).toString(16).padStart(4, '0'));
}

function readLength(buffer: Buffer, at: number): number {
  const digits = buffer.toString('latin1', at, at + 4);
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new PktLineError(`no packet length at byte ${at}`);
  return Number.parseInt(digits, 16);
}
