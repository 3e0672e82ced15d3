import { expect, test } from 'vitest';
import { watchForFullDisk } from './full-disk.ts';

test('the disk counts as full for a while after a write failed because of it, and after no other error', () => {
  let now = 0;
  const disk = watchForFullDisk(() => now);
  disk.note(new Error('another one'));
  disk.note(null);
  expect(disk.isFull()).toBe(false);
  disk.note(Object.assign(new Error('could not extend file'), { code: '53100' }));
  now = 9_999;
  expect(disk.isFull()).toBe(true);
  now = 10_000;
  expect(disk.isFull()).toBe(false);
});
