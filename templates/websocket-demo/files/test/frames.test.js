import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFrame, encodeFrame, FrameError, opcodes } from '../src/frames.js';

/** As a client sends it. */
function masked(opcode, payload, { isFinal = true } = {}) {
  const frame = encodeFrame(opcode, payload);
  const begin = frame.length - payload.length;
  const mask = Buffer.from([1, 2, 3, 4]);
  const header = Buffer.from(frame.subarray(0, begin));
  header[1] |= 0x80;
  if (!isFinal) header[0] &= 0x7f;
  return Buffer.concat([header, mask, payload.map((byte, index) => byte ^ mask[index % 4])]);
}

test('frames of every length come back as they were', () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
    const payload = Buffer.alloc(length, 7);
    const bytes = masked(opcodes.text, payload);
    const frame = decodeFrame(bytes, 100_000);
    assert.equal(frame.bytesRead, bytes.length);
    assert.deepEqual(frame.payload, payload);
    assert.equal(decodeFrame(bytes.subarray(0, -1), 100_000), null);
  }
});

test('breaches of the protocol are told apart', () => {
  const codeOf = (bytes) => {
    try {
      decodeFrame(bytes, 1000);
      return null;
    } catch (error) {
      assert.ok(error instanceof FrameError);
      return error.code;
    }
  };
  assert.equal(codeOf(encodeFrame(opcodes.text, Buffer.from('not masked'))), 1002);
  assert.equal(codeOf(masked(opcodes.text, Buffer.alloc(2000))), 1009);
  assert.equal(codeOf(masked(opcodes.ping, Buffer.alloc(1), { isFinal: false })), 1002);
  assert.equal(codeOf(masked(3, Buffer.alloc(1))), 1002);
});
