import { array, assert, asyncProperty, constant, integer, oneof, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { delimPkt, flushPkt, PktLineError, pktLine, readPktLines, sideband } from './pkt-line.ts';

test('lines are framed as in the examples of the protocol', () => {
  expect(pktLine('a\n').toString()).toBe('0006a\n');
  expect(pktLine('a').toString()).toBe('0005a');
  expect(pktLine('foobar\n').toString()).toBe('000bfoobar\n');
  expect(pktLine('').toString()).toBe('0004');
  expect(pktLine('é').toString('latin1')).toBe('0006\xc3\xa9');
  expect(flushPkt.toString() + delimPkt.toString()).toBe('00000001');
  expect(pktLine(Buffer.alloc(65_516)).toString('latin1', 0, 4)).toBe('fff0');
  expect(() => pktLine(Buffer.alloc(65_517))).toThrow(PktLineError);
});

/** Yields pieces of a size that matches no packet, as a network may deliver them. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Buffer, size = 3) {
  const reader = readPktLines(inPieces(bytes, size));
  const lines: (Buffer | 'delim')[] = [];
  for (;;) {
    const line = await reader.next();
    if (line === 'flush' || line === 'end') {
      const rest: Buffer[] = [];
      for await (const part of reader.rest()) rest.push(part);
      return { lines, end: line, rest: Buffer.concat(rest).toString() };
    }
    lines.push(line);
  }
}

test('lines are read up to the flush, and the rest begins after it', async () => {
  const request = Buffer.from('0014command=ls-refs\n00010009peel\n0000PACK');
  const { lines, end, rest } = await readAll(request);
  expect(lines.map(String)).toEqual(['command=ls-refs\n', 'delim', 'peel\n']);
  expect([end, rest]).toEqual(['flush', 'PACK']);
});

test('a request that ends without a flush is read to its end', async () => {
  expect(await readAll(Buffer.from('0009done\n'))).toEqual({ lines: [Buffer.from('done\n')], end: 'end', rest: '' });
  expect(await readAll(Buffer.alloc(0))).toEqual({ lines: [], end: 'end', rest: '' });
});

test('framed lines are read back, in whatever pieces they arrive', async () => {
  const part = oneof(
    uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    constant('delim' as const),
  );
  await assert(
    asyncProperty(array(part), integer({ min: 1, max: 500 }), async (parts, size) => {
      const framed = parts.map((each) => (each === 'delim' ? delimPkt : pktLine(each)));
      const whole = Buffer.concat([...framed, flushPkt, Buffer.from('rest')]);
      expect(await readAll(whole, size)).toEqual({ lines: parts, end: 'flush', rest: 'rest' });
    }),
    { seed: 1 },
  );
});

test('broken framing is refused', async () => {
  for (const text of ['0', '000', 'xyz0', '0002', '0003', '0006a', '-001', '0x10', ' 10a', 'fff1'.padEnd(70_000)]) {
    await expect(readAll(Buffer.from(text)), text).rejects.toThrow(PktLineError);
  }
});

test('a side band is cut at 65,515 bytes, and its data is not copied', async () => {
  const data = Buffer.alloc(65_515 * 2 + 10, 'x');
  const packets = sideband(1, data);
  expect(packets).toHaveLength(6);
  expect(packets[0]?.toString('latin1')).toBe('fff0\x01');
  expect(packets[4]?.toString('latin1')).toBe('000f\x01');
  expect(packets[1]?.buffer).toBe(data.buffer);
  const { lines } = await readAll(Buffer.concat(packets), 65_000);
  expect(Buffer.concat(lines.map((line) => (line as Buffer).subarray(1)))).toEqual(data);
  expect(Buffer.concat(sideband(2, Buffer.from('hi'))).toString('latin1')).toBe('0007\x02hi');
  expect(sideband(3, Buffer.alloc(0))).toEqual([]);
});
