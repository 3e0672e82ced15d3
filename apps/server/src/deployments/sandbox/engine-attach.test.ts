import { expect, test } from 'vitest';
import { createSplitter } from './engine-attach.ts';

const frame = (stream: number, text: string): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt8(stream, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
};

test.each([1, 3, 8, 11, 1_000])('frames from an engine are separated when %i bytes arrive at a time', (size) => {
  const all = Buffer.concat([frame(1, 'one'), frame(2, 'problem'), frame(1, ''), frame(1, 'two'), frame(1, 'größe')]);
  const seen: Record<number, string> = { 1: '', 2: '' };
  const split = createSplitter((stream, bytes) => {
    seen[stream] += bytes.toString('latin1');
  });
  for (let at = 0; at < all.length; at += size) split(all.subarray(at, at + size));
  expect(Buffer.from(seen[1] ?? '', 'latin1').toString()).toBe('onetwogröße');
  expect(seen[2]).toBe('problem');
});
