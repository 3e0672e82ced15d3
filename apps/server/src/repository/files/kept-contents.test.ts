import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { keepContents } from './kept-contents.ts';

const checksumOf = (content: Buffer) => hash('sha256', content, 'buffer');

test('a content is found by its SHA-256, but not by one that does not match it', () => {
  const kept = keepContents();
  const [content, other] = [Buffer.from('one'), Buffer.from('other')];
  kept.keep(checksumOf(content), content);
  kept.keep(checksumOf(other), content);
  expect(kept.find(checksumOf(content))?.toString()).toBe('one');
  expect(kept.find(checksumOf(other))).toBeUndefined();
});

test('the most recent contents are kept, up to a few megabytes in all, and large ones are not kept', () => {
  const kept = keepContents();
  const contents = Array.from({ length: 100 }, (_, number) => Buffer.alloc(200_000, number));
  for (const content of contents) kept.keep(checksumOf(content), content);
  const found = contents.filter((content) => kept.find(checksumOf(content)));
  expect(found.length).toBeGreaterThan(50);
  expect(found.length * 200_000).toBeLessThan(17_000_000);
  expect(found.at(-1)).toBe(contents.at(-1));
  const large = Buffer.alloc(300_000);
  kept.keep(checksumOf(large), large);
  expect(kept.find(checksumOf(large))).toBeUndefined();
});
