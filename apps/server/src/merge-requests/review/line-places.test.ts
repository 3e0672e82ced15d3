import { describe, expect, test } from 'vitest';
import { likeness, placeOfLines } from './line-places.ts';

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const at = (line: number, start = line) => ({ start, line });

describe('lines of a thread', () => {
  test('move with lines that are added and removed above them', () => {
    const before = text('a', 'b', 'c', 'd');
    expect(placeOfLines(before, text('x', 'y', 'a', 'b', 'c', 'd'), at(3))).toEqual(at(5));
    expect(placeOfLines(before, text('c', 'd'), at(3))).toEqual(at(1));
    expect(placeOfLines(before, text('a', 'b', 'c', 'd', 'e'), at(3))).toEqual(at(3));
  });

  test('are gone once they were changed or removed', () => {
    expect(placeOfLines(text('a', 'b', 'c'), text('a', 'c'), at(2))).toBeNull();
    expect(placeOfLines(text('a', 'b', 'c'), text('a', 'B', 'c'), at(2))).toBeNull();
  });

  test('are found where they were moved to, if only one place matches', () => {
    expect(placeOfLines(text('one', 'two', 'three', 'four'), text('two', 'three', 'four', 'one'), at(1))).toEqual(
      at(4),
    );
    expect(placeOfLines(text('one', 'two', 'x'), text('x', 'one', 'y', 'one', 'z'), at(2))).toBeNull();
    expect(placeOfLines(text('', 'a'), text('b', '', 'c'), at(1))).not.toEqual(at(4));
  });

  test('keep the remaining lines of a range', () => {
    const before = text('a', 'b', 'c', 'd', 'e');
    expect(placeOfLines(before, text('a', 'b', 'C', 'd', 'e'), at(4, 2))).toEqual(at(4, 2));
    expect(placeOfLines(before, text('a', 'B', 'C', 'd', 'e'), at(4, 2))).toEqual(at(4));
    expect(placeOfLines(before, text('a', 'e'), at(4, 2))).toBeNull();
  });
});

test('the likeness of two texts is the share of lines that they have in common', () => {
  expect(likeness(text('a', 'b', 'c', 'd'), text('a', 'b', 'c', 'x'))).toBe(0.75);
  expect(likeness('', text('a'))).toBe(0);
});
