import { randomBytes } from 'node:crypto';
import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { deflateObject, deflateObjectAsync, hashObject, inflateObject, inflateObjectAsync } from './objects.ts';

const { line } = useGitRepository();
const bytes = uint8Array({ maxLength: 5000 }).map((array) => Buffer.from(array));

test('the id of a blob is the one that git gives it', () => {
  assert(
    property(bytes, (content) => {
      expect(hashObject('blob', content).toString('hex')).toBe(line(['hash-object', '-t', 'blob', '--stdin'], content));
    }),
    { numRuns: fuzzRuns(200, 10), seed: 1 },
  );
});

test('deflated content is inflated to the original, directly or in the thread pool', async () => {
  assert(
    property(bytes, (content) => inflateObject(deflateObject(content), content.length).equals(content)),
    { seed: 2 },
  );
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.alloc(3_000_000, 'text\n'),
    randomBytes(3_000_000),
  ]) {
    const deflated = await deflateObjectAsync(content);
    expect(deflated.equals(deflateObject(content))).toBe(true);
    expect((await inflateObjectAsync(deflated, content.length)).equals(content)).toBe(true);
    expect(inflateObject(deflated, content.length).equals(content)).toBe(true);
  }
});

test('a wrong size is refused, and no memory is allocated for an impossible one', async () => {
  const content = Buffer.alloc(1_000_000, 'a');
  const deflated = deflateObject(content);
  for (const size of [0, 1, 999_999, 1_000_001, 2 ** 31, 2 ** 52, -1, 1.5, Number.NaN]) {
    expect(() => inflateObject(deflated, size), String(size)).toThrow();
    await expect(inflateObjectAsync(deflated, size), String(size)).rejects.toThrow();
  }
  expect(() => inflateObject(deflateObject(Buffer.from('x')), 0)).toThrow();
});

test('broken bytes are refused', () => {
  const deflated = deflateObject(Buffer.from('some text, some text'));
  expect(() => inflateObject(deflated.subarray(0, -3), 20)).toThrow();
  expect(() => inflateObject(Buffer.from('nothing that zlib wrote'), 20)).toThrow();
});
