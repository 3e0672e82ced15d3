import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../testing/parts/cpu-time.ts';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { diffLines, type Hunk } from './diff-lines.ts';
import { isBinary, lineChanges } from './line-changes.ts';

const lines = array(constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 14 });
const text = tuple(lines, constantFrom('', '\n')).map(([all, end]) => all.join('\n') + end);

function split(content: string): string[] {
  return content.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Builds the new text from the old one and the hunks. */
function applied(hunks: readonly Hunk[], a: string, b: string): string {
  const [before, after] = [split(a), split(b)];
  let result = '';
  let at = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    result += before.slice(at, oldStart).join('') + after.slice(newStart, newStart + newCount).join('');
    at = oldStart + oldCount;
  }
  return result + before.slice(at).join('');
}

function size(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);
}

/** The length of the shortest edit, by the standard dynamic programming table. */
function shortest(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, line] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      const fewer = Math.min(row[j + 1] as number, next[j] as number) + 1;
      next.push(line === other ? (row[j] as number) : fewer);
    }
    row = next;
  }
  return row.at(-1) as number;
}

test('the hunks turn the old text into the new one, and are as short as possible', () => {
  assert(
    property(text, text, (a, b) => {
      const hunks = diffLines(a, b);
      expect(applied(hunks, a, b)).toBe(b);
      expect(size(hunks)).toBe(shortest(split(a), split(b)));
      for (const [i, { oldStart, newStart }] of hunks.entries()) {
        const former = hunks[i - 1] ?? { oldStart: -1, oldCount: 0, newStart: -1, newCount: 0 };
        // Two hunks have equal lines between them, the same number on both sides.
        expect(oldStart).toBeGreaterThan(former.oldStart + former.oldCount);
        expect(oldStart - former.oldStart - former.oldCount).toBe(newStart - former.newStart - former.newCount);
      }
    }),
    { numRuns: fuzzRuns(5_000, 1_000), seed: 1 },
  );
});

test('equal texts have no hunks, and a missing newline at the end is a change of the last line', () => {
  expect(diffLines('', '')).toEqual([]);
  expect(diffLines('a\nb', 'a\nb')).toEqual([]);
  expect(diffLines('a\nb', 'a\nb\n')).toEqual([{ oldStart: 1, oldCount: 1, newStart: 1, newCount: 1 }]);
  expect(diffLines('', 'a\n')).toEqual([{ oldStart: 0, oldCount: 0, newStart: 0, newCount: 1 }]);
  expect(diffLines('\na', 'a')).toEqual([{ oldStart: 0, oldCount: 1, newStart: 0, newCount: 0 }]);
});

/** A fixed sequence of pseudo-random numbers. */
function numbers(count: number, below: number): number[] {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  });
}

const huge = (count: number, below: number, mark: string) =>
  numbers(count, below)
    .map((n) => `${mark}${n}\n`)
    .join('');
const hard: Record<string, [string, string]> = {
  'few different lines in another order': [huge(30_000, 5, ''), numbers(30_000, 5).reverse().join('\n')],
  'many different lines in another order': [
    huge(40_000, 1e9, 'x'),
    huge(40_000, 1e9, 'x').split('\n').sort().join('\n'),
  ],
  'nothing in common': [huge(40_000, 1e9, 'x'), huge(40_000, 1e9, 'y')],
  'one line over and over': [`a${'\n'.repeat(45_000)}b`, `b${'\n'.repeat(40_000)}a`],
  'ten megabytes of newlines': ['\n'.repeat(10_000_000), `${'\n'.repeat(9_000_000)}x`],
  'ten megabytes with one line changed': [
    'some line of text\n'.repeat(580_000),
    `${'some line of text\n'.repeat(300_000)}x\n${'some line of text\n'.repeat(279_999)}`,
  ],
};

test.each(Object.entries(hard))('the time of a comparison is bounded for %s', (_, [a, b]) => {
  let hunks: ReturnType<typeof diffLines> = [];
  const spent = cpuMsOf(() => {
    hunks = diffLines(a, b);
  });
  expect(applied(hunks, a, b) === b).toBe(true);
  // It takes about 50 ms on an idle machine. Without the bounds it would take seconds or minutes.
  expect(spent).toBeLessThan(1000);
});

test('the smaller side of a hunk counts as modified, and the rest as added or removed', () => {
  const changes = (a: string, b: string) => Object.values(lineChanges(diffLines(a, b)));
  expect(lineChanges(diffLines('a\nb\nc\n', 'a\nB\nc\nd\n'))).toEqual({
    lines_added: 1,
    lines_removed: 0,
    lines_modified: 1,
  });
  expect(changes('', 'a\nb\n')).toEqual([2, 0, 0]);
  expect(changes('a\nb\n', '')).toEqual([0, 2, 0]);
  expect(changes('a\nb\nc\nd\n', 'a\nx\nd\n')).toEqual([0, 1, 1]);
  expect(changes('a\n', 'a')).toEqual([0, 0, 1]);
  expect(changes('a', 'a')).toEqual([0, 0, 0]);
});

test('content is binary if there is a NUL in its first 8,000 bytes', () => {
  const text = Buffer.alloc(9000, 'a');
  expect(isBinary(text)).toBe(false);
  text[8000] = 0;
  expect(isBinary(text)).toBe(false);
  text[7999] = 0;
  expect(isBinary(text)).toBe(true);
  expect(isBinary(Buffer.alloc(0))).toBe(false);
});
