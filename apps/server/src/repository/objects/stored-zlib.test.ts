import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStoredZlib, storedZlib } from './stored-zlib.ts';

test('zlib reads every stream that was stored without compression, including its checksum', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      const content = Buffer.from(bytes);
      expect(inflateSync(storedZlib(content))).toEqual(content);
      expect(readStoredZlib(storedZlib(content))).toEqual(content);
    }),
  );
  const longest = Buffer.alloc(65_535, 0xff);
  expect(inflateSync(storedZlib(longest))).toEqual(longest);
});

test('a stream of another kind or of a wrong length is not read as a stored one', () => {
  const stream = storedZlib(Buffer.from('content'));
  expect(readStoredZlib(stream.subarray(0, -1))).toBeNull();
  expect(readStoredZlib(Buffer.concat([stream, Buffer.alloc(1)]))).toBeNull();
  expect(readStoredZlib(Buffer.alloc(0))).toBeNull();
  expect(readStoredZlib(Buffer.from('789c4bcecf2b49cd2b01000b2002ee', 'hex'))).toBeNull();
});
