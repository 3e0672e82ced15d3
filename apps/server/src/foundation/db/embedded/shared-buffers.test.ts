import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { memoryOfMachine } from '../../processes/memory-of-machine.ts';
import { sharedBuffersMiB } from './shared-buffers.ts';

const gibibyte = 2 ** 30;

test.each([
  ['a small machine', 0.5, 128],
  ['one of 4 GiB', 4, 512],
  ['one of 16 GiB', 16, 2048],
  ['a large one', 256, 4096],
])('the database of %s gets a share of its memory, within bounds', (_which, memory, expected) => {
  expect(sharedBuffersMiB(memory * gibibyte)).toBe(expected);
});

test('the memory found on this machine is at most what it has', () => {
  expect(memoryOfMachine()).toBeGreaterThan(0);
  expect(memoryOfMachine()).toBeLessThanOrEqual(totalmem());
});
