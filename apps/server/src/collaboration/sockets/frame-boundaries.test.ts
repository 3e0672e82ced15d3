import { randomInt } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { closeFrame, frameBoundaries } from './frame-boundaries.ts';

/** A frame as a server sends it: not masked. */
function frame(payload: Buffer, opcode = 2): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload]);
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

test('bytes pass unchanged, and the ends of frames are recognized however the bytes are split', async () => {
  const frames = [0, 1, 125, 126, 127, 300, 65_535, 65_536, 70_000, 5].map((length) => frame(Buffer.alloc(length, 1)));
  const ends = new Set(frames.map((_, index) => Buffer.concat(frames.slice(0, index + 1)).length));
  const bytes = Buffer.concat(frames);
  const passing = frameBoundaries();
  const passed: Buffer[] = [];
  passing.on('data', (chunk) => passed.push(chunk));
  for (let offset = 0; offset < bytes.length; ) {
    const next = Math.min(bytes.length, offset + randomInt(1, 20_000), ...[...ends].filter((end) => end > offset));
    passing.write(bytes.subarray(offset, next));
    offset = next;
    expect(passing.isBetweenFrames(), `after ${offset}`).toBe(ends.has(offset));
  }
  passing.end();
  await finished(passing);
  expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  expect(passing.hasClosed()).toBe(false);
});

test('a close frame is noticed, from either side', () => {
  const passing = frameBoundaries();
  passing.resume();
  passing.write(frame(Buffer.from('x'), 1));
  passing.write(closeFrame(1012, 'Connect again'));
  expect([passing.isBetweenFrames(), passing.hasClosed()]).toEqual([true, true]);
});
