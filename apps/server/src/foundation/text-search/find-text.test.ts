import { setImmediate as nextTurn } from 'node:timers/promises';
import { array, assert, constantFrom, nat, property, sample } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { createBudget } from '../concurrency/budget.ts';
import { createPace } from '../concurrency/pace.ts';
import { findAll, findNearest, replaceAt, stride, turn, walk } from './find-text.ts';

const of = (signs: string, maxLength: number) =>
  array(constantFrom(...signs), { maxLength }).map((parts) => parts.join(''));
const unbounded = () => createBudget({ name: 'test', message: 'never' });
const { maybeYield } = unbounded();

function naivePositions(text: string, needle: string, step: number): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + step)) positions.push(at);
  return positions;
}

const walked = (text: string, needle: string, overlapping: boolean): number[] =>
  [...walk(text, needle, { overlapping })].filter((position) => position !== turn);

test('the search finds a needle at the same places as the built-in search', () => {
  const texts = property(of('ab', 300), of('ab', 6), of('ab', 3), nat(12), (text, one, other, times) => {
    const needle = `${one.repeat(times)}${other}`;
    if (needle === '') return;
    expect(walked(text, needle, true)).toEqual(naivePositions(text, needle, 1));
    expect(walked(text, needle, false)).toEqual(naivePositions(text, needle, needle.length));
    // A piece of the text itself, which must be found.
    const piece = text.slice(times, times + 5 * times + 1);
    if (piece !== '') expect(walked(text, piece, true)).toEqual(naivePositions(text, piece, 1));
  });
  assert(texts, { numRuns: fuzzRuns(100_000, 3_000) });
});

test('a needle is found across the points at which a walk lets others run', () => {
  for (const length of [1, 31, 32, 33, 1_000, 2 * stride]) {
    const needle = 'n'.repeat(length);
    for (const before of [stride - length, stride - 1, stride, stride + 1, 3 * stride - 7]) {
      const text = `${'.'.repeat(Math.max(0, before))}${needle}${'.'.repeat(stride)}`;
      expect(walked(text, needle, false)).toEqual([Math.max(0, before)]);
    }
  }
});

describe('a needle that nearly matches everywhere', () => {
  const half = 'a'.repeat(10_000);
  test.each([
    ['differs in its middle', `${half}b${half}`, 'a'.repeat(1_000_000)],
    ['differs at its end', `${half}${half}b`, 'a'.repeat(1_000_000)],
    ['differs at its beginning', `b${half}${half}`, 'a'.repeat(1_000_000)],
    ['repeats itself', `${'ab'.repeat(10_000)}c`, 'ab'.repeat(500_000)],
    ['repeats itself, as the text does differently', `${'aab'.repeat(6_000)}`, `${'aab'.repeat(5_999)}aa`.repeat(50)],
  ])('is searched in as many turns as any other if it %s', (_how, needle, text) => {
    const turns = [...walk(text, needle, { overlapping: true })].filter((position) => position === turn).length;
    expect(turns).toBeGreaterThan(text.length / stride / 2);
    expect(turns).toBeLessThan((text.length + needle.length) / stride + 2);
  });
});

test('the nearest place is the same as with the built-in searches, and the earlier of two that are as near', async () => {
  const texts = of('ab', 60).chain((text) => nat(text.length).map((near) => ({ text, near })));
  const runs = fuzzRuns(20_000, 1_000);
  for (const { text, near } of sample(texts, { numRuns: runs, seed: 1 })) {
    for (const needle of ['a', 'ab', 'aba', 'bb']) {
      const both = [text.lastIndexOf(needle, near), text.indexOf(needle, near)].filter((at) => at >= 0);
      const expected = both.toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near))[0] ?? null;
      expect(await findNearest(text, needle, { near, budget: unbounded() })).toBe(expected);
    }
  }
});

test('a search for the nearest place ends with its budget', async () => {
  const budget = createBudget({ name: 'test', bytes: 2 * stride, message: 'never' });
  const text = `${'a'.repeat(4 * stride)}b`;
  expect(await findNearest(text, 'b', { near: 0, budget })).toBeUndefined();
});

test('places are replaced as by the built-in function, and no more places are searched than wanted', async () => {
  const text = 'one two one two one';
  const positions = await findAll(text, 'one', { max: 10, maybeYield });
  expect(replaceAt(text, { positions, length: 'one'.length, wanted: '$&' })).toBe('$& two $& two $&');
  expect(await findAll(text, 'one', { max: 2, maybeYield })).toEqual([0, 8]);
  expect(await findAll(text, 'three', { max: 2, maybeYield })).toEqual([]);
});

test('other tasks run while the longest text is searched for a needle that nearly matches everywhere', async () => {
  const half = 'a'.repeat(500_000);
  const text = 'a'.repeat(10 * 1024 * 1024);
  let [isDone, turns] = [false, 0];
  const searching = findAll(text, `${half}b${half}`, { max: 10, maybeYield: createPace().maybeYield }).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await nextTurn();
  expect(await searching).toEqual([]);
  expect(turns).toBeGreaterThan(3);
});
