import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

/** What both ends of a link know and nobody else; and who speaks, so that nobody is told their own words. */
export type Seal = { key: Buffer; by: 'asking' | 'answering' };

/** Far above what a link has under way at once. */
const largestFrame = 64 * 1024 * 1024;
const sealBytes = 32;
const headBytes = 4 + sealBytes;

/** Each frame counts: one that is left out, repeated or put in breaks the link. */
function sealing({ key, by }: Seal): (body: Buffer) => Buffer {
  let count = 0;
  return (body) => createHmac('sha256', key).update(`${by} ${count++} `).update(body).digest();
}

/** Its length and its seal, then the value as V8 itself writes it, which holds bytes and dates as they are. */
export function frameSender(socket: Duplex, seal: Seal): (value: unknown) => void {
  const sealOf = sealing(seal);
  return (value) => {
    const body = serialize(value);
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(body.length);
    socket.cork();
    for (const part of [length, sealOf(body), body]) socket.write(part);
    socket.uncork();
  };
}

/** Whoever says what is no frame of ours is cut off. */
export function readFrames(socket: Duplex, seal: Seal, onFrame: (value: unknown) => void): void {
  const sealOf = sealing(seal);
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = headBytes;

  function take(): void {
    let bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, held);
    wanted = headBytes;
    while (bytes.length >= headBytes) {
      const length = bytes.readUInt32BE();
      if (length > largestFrame) throw new Error('a frame that is too large');
      wanted = headBytes + length;
      if (bytes.length < wanted) break;
      const body = bytes.subarray(headBytes, wanted);
      if (!timingSafeEqual(sealOf(body), bytes.subarray(4, headBytes))) throw new Error('a frame of somebody else');
      onFrame(deserialize(body));
      bytes = bytes.subarray(wanted);
      wanted = headBytes;
    }
    chunks = [bytes];
    held = bytes.length;
  }

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return;
    try {
      take();
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
}
