import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countChanges } from './count-changes.ts';
import { diffLines } from './diff-lines.ts';
import { lineChanges } from './line-changes.ts';

const maybeYield = async () => undefined;
const count = (old: string, now: string) => countChanges(Buffer.from(old), Buffer.from(now), maybeYield);
const changes = (lines_added: number, lines_removed: number, lines_modified: number) => ({
  lines_added,
  lines_removed,
  lines_modified,
});
const lines = (number: number, text: string) => `${text}\n`.repeat(number);

describe('the number of changed lines', () => {
  test('is the same as in a comparison of whole texts', async () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'ü\n', '\n', 'c'), { maxLength: 12 })
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (old, now) => {
        expect(await count(old, now)).toEqual(lineChanges(diffLines(old, now)));
      }),
    );
  });

  test('for two small changes in a large text counts only these two', async () => {
    const middle = lines(15_000, 'the same line in both texts');
    expect(await count(`a\n${middle}`, `b\n${middle}c\n`)).toEqual(changes(1, 0, 1));
    expect(await count(`${middle}a`, middle)).toEqual(changes(0, 1, 0));
    expect(await count(middle, middle)).toEqual(changes(0, 0, 0));
  });

  test('for a large text that was rewritten counts all lines', async () => {
    const [old, now] = [lines(60_000, 'a line of the former text'), lines(70_000, 'a line of the present text')];
    expect(await count(old, now)).toEqual(changes(10_000, 0, 60_000));
    expect(await count(now, `${old}without an end`)).toEqual(changes(0, 9_999, 60_001));
  });

  test('for binary content is zero', async () => {
    expect(await count('a\0b', 'a\n')).toEqual(changes(0, 0, 0));
  });

  test('is counted in slices, between which other work has its turn', async () => {
    let turns = 0;
    const text = Buffer.from(lines(100_000, 'the same line in both texts'));
    await countChanges(text, Buffer.concat([text, Buffer.from('more')]), async () => {
      turns++;
    });
    expect(turns).toBeGreaterThan(10);
  });
});
