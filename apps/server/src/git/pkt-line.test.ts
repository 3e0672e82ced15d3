import { array, assert, constant, oneof, property, uint8Array } from 'fast-check';
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

test('lines are read up to the flush, and the rest begins after it', () => {
  const request = Buffer.from('0014command=ls-refs\n00010009peel\n0000PACK');
  const { lines, next, flushed } = readPktLines(request);
  expect(lines.map(String)).toEqual(['command=ls-refs\n', 'delim', 'peel\n']);
  expect(request.subarray(next).toString()).toBe('PACK');
  expect(flushed).toBe(true);
});

test('a request that ends without a flush is read to its end', () => {
  const request = Buffer.from('0009want\n00000009done\n');
  const wants = readPktLines(request);
  expect(wants).toMatchObject({ next: 13, flushed: true });
  const rest = readPktLines(request, wants.next);
  expect(rest).toMatchObject({ next: request.length, flushed: false });
  expect(rest.lines.map(String)).toEqual(['done\n']);
  expect(readPktLines(Buffer.alloc(0))).toEqual({ lines: [], next: 0, flushed: false });
});

test('what was framed is read back', () => {
  const part = oneof(
    uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    constant('delim' as const),
  );
  assert(
    property(array(part), (parts) => {
      const framed = parts.map((each) => (each === 'delim' ? delimPkt : pktLine(each)));
      const whole = Buffer.concat([...framed, flushPkt]);
      expect(readPktLines(whole)).toEqual({ lines: parts, next: whole.length, flushed: true });
    }),
    { seed: 1 },
  );
});

test('broken framing and too many lines are refused', () => {
  for (const text of ['0', '000', 'xyz0', '0002', '0003', '0006a', '-001', '0x10', ' 10a', 'fff1'.padEnd(70_000)]) {
    expect(() => readPktLines(Buffer.from(text)), text).toThrow(PktLineError);
  }
  const three = Buffer.from('0005a0005b0005c0000');
  expect(readPktLines(three, 0, 3).lines).toHaveLength(3);
  expect(() => readPktLines(three, 0, 2)).toThrow('more than 2');
});

test('a side band is cut at 65,515 bytes, and its data is not copied', () => {
  const data = Buffer.alloc(65_515 * 2 + 10, 'x');
  const packets = sideband(1, data);
  expect(packets).toHaveLength(6);
  expect(packets[0]?.toString('latin1')).toBe('fff0\x01');
  expect(packets[4]?.toString('latin1')).toBe('000f\x01');
  expect(packets[1]?.buffer).toBe(data.buffer);
  const { lines } = readPktLines(Buffer.concat(packets));
  expect(Buffer.concat(lines.map((line) => (line as Buffer).subarray(1)))).toEqual(data);
  expect(Buffer.concat(sideband(2, Buffer.from('hi'))).toString('latin1')).toBe('0007\x02hi');
  expect(sideband(3, Buffer.alloc(0))).toEqual([]);
});
