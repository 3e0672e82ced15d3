import { Transform } from 'node:stream';

export type FrameBoundaries = Transform & {
  /** Whether the bytes so far end with a whole frame, so that this node may insert its own frame. */
  isBetweenFrames(): boolean;
  /** Whether a close frame has begun: nothing may follow it. */
  hasClosed(): boolean;
};

/**
 * Tracks where the frames of a server end, without changing them (RFC 6455, 5.2). Frames of a server are never masked.
 */
export function frameBoundaries(): FrameBoundaries {
  let header: number[] = [];
  let left = 0;
  let closes = false;

  /** The payload's length, once the header is complete. */
  function payloadLength(): number | null {
    const short = (header[1] ?? 0) & 0x7f;
    const more = short === 127 ? 8 : short === 126 ? 2 : 0;
    if (header.length < 2 + more) return null;
    return more === 0 ? short : header.slice(2).reduce((length, byte) => length * 256 + byte, 0);
  }

  function follow(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length; ) {
      if (left > 0) {
        const skipped = Math.min(left, chunk.length - offset);
        left -= skipped;
        offset += skipped;
        continue;
      }
      header.push(chunk.readUInt8(offset++));
      const length = header.length < 2 ? null : payloadLength();
      if (length === null) continue;
      left = length;
      closes ||= ((header[0] ?? 0) & 0x0f) === 8;
      header = [];
    }
  }

  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      follow(chunk);
      done(null, chunk);
    },
  });
  return Object.assign(passing, {
    isBetweenFrames: () => left === 0 && header.length === 0,
    hasClosed: () => closes,
  });
}

/** A close frame as a server sends it. */
export function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
}
