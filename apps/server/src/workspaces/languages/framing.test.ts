import { expect, test } from 'vitest';
import { asMessage, createMessageReader } from './framing.ts';

function readAll(bytes: Buffer, step: number, most = 1_000): string[] {
  const seen: string[] = [];
  const read = createMessageReader(most, (body) => seen.push(body.toString()));
  for (let from = 0; from < bytes.length; from += step) read(bytes.subarray(from, from + step));
  return seen;
}

test('messages are recognized by their length in bytes, in whatever parts they arrive', () => {
  const messages = [{ text: 'naïve 😀' }, {}, { id: 1 }];
  const bytes = Buffer.concat(messages.map(asMessage));
  for (const step of [1, 7, 64, bytes.length]) {
    expect(readAll(bytes, step)).toEqual(messages.map((one) => JSON.stringify(one)));
  }
});

test('a message with no length, a wrong length or too many bytes is refused', () => {
  const texts = [
    'Content-Type: x\r\n\r\n{}',
    'Content-Length: -1\r\n\r\n{}',
    'Content-Length: 1e9\r\n\r\n{}',
    'Content-Length: 1001\r\n\r\n',
    `Content-Length: 2${' '.repeat(9_000)}`,
  ];
  for (const text of texts) expect(() => readAll(Buffer.from(text), 100)).toThrow();
});
