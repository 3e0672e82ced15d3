import { array, assert, integer, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../../../apps/server/src/testing/runner/thoroughness.ts';
import { apply, type Change, changeOf, compose, isEmpty, rebase, splicesOf } from './change.ts';
import { asChange, asCodeChanges } from './code-changes.ts';
import { diff, distance, isWithinCharacter } from './text-diff.ts';

const runs = { seed: fuzzSeed, numRuns: fuzzRuns(5000, 500) };
const words = string({ unit: 'grapheme', maxLength: 12 });
const text = array(string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 8 }).map((lines) => lines.join('\n'));
const edits = array(record({ pass: integer({ min: 0, max: 9 }), remove: integer({ min: 0, max: 5 }), insert: words }), {
  maxLength: 5,
});
type Edits = { pass: number; remove: number; insert: string }[];

/** A position in the text between characters. */
function within(before: string, wanted: Edits): Change {
  const position = (at: number) => {
    const max = Math.min(at, before.length);
    return isWithinCharacter(before, max) ? max - 1 : max;
  };
  let reached = 0;
  const splices = wanted.map(({ pass, remove, insert }) => {
    const from = Math.max(reached, position(reached + pass));
    const to = Math.max(from, position(from + remove));
    reached = to;
    return { from, to, insert };
  });
  return changeOf(splices);
}

describe('a change', () => {
  test('can be converted to splices and to messages, and back', () => {
    assert(
      property(text, edits, (before, wanted) => {
        const change = within(before, wanted);
        expect(changeOf(splicesOf(change))).toEqual(change);
        expect(asChange(before, asCodeChanges(before, change))).toEqual(change);
      }),
      runs,
    );
  });

  test('composed with another has the effect of both', () => {
    assert(
      property(text, edits, edits, (before, wanted, next) => {
        const first = within(before, wanted);
        const middle = apply(before, first);
        const second = within(middle, next);
        expect(apply(before, compose(first, second))).toBe(apply(middle, second));
      }),
      runs,
    );
  });

  test('and another change of the same text lead to the same text in either order', () => {
    assert(
      property(text, edits, edits, (before, wanted, other) => {
        const [one, two] = [within(before, wanted), within(before, other)];
        const after = rebase(one, two);
        expect(apply(apply(before, one), after.later)).toBe(apply(apply(before, two), after.earlier));
      }),
      runs,
    );
  });

  test('at the same place as an earlier change comes after it', () => {
    const { later } = rebase([3, 'earlier '], [3, 'later ']);
    expect(apply(apply('at ', [3, 'earlier ']), later)).toBe('at earlier later ');
  });
});

describe('the difference of two texts', () => {
  test('turns one text into the other, and splits no character', () => {
    assert(
      property(text, text, (before, after) => {
        const change = diff(before, after);
        expect(apply(before, change)).toBe(after);
        for (const { from, to } of splicesOf(change)) {
          expect([from, to].some((position) => isWithinCharacter(before, position))).toBe(false);
        }
      }),
      runs,
    );
  });

  test('is limited to the changed parts, and keeps the text between two changes', () => {
    const before = 'one\ntwo\nthree\nfour\n';
    expect(splicesOf(diff(before, 'One\ntwo\nthree\nfour!\n'))).toEqual([
      { from: 0, to: 1, insert: 'O' },
      { from: 18, to: 18, insert: '!' },
    ]);
    expect(isEmpty(diff(before, before))).toBe(true);
  });

  test('is counted in characters, also within a line', () => {
    expect(distance('aXb', 'aYXZb')).toBe(2);
    expect(distance('ab', 'aYXZb')).toBe(3);
    expect(distance('a🐙b', 'ab')).toBe(2);
  });

  test('of very long texts replaces the part that differs', () => {
    const [one, other] = ['a\n'.repeat(1500), 'b\n'.repeat(1500)];
    expect(apply(one, diff(one, other))).toBe(other);
  });
});
