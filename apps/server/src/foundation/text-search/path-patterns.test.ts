import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { compilePathPattern, matchesAny, stepsToMatch } from './path-patterns.ts';

/** Matches by the definition of the patterns, trying one way after the other. */
function matchesNaively(parts: readonly string[], names: readonly string[]): boolean {
  const [part, ...others] = parts;
  if (part === undefined) return names.length === 0;
  if (part === '**') return names.concat('').some((_name, at) => matchesNaively(others, names.slice(at)));
  const [name, ...rest] = names;
  return name !== undefined && fitsName([...part], [...name]) && matchesNaively(others, rest);
}

function fitsName([token, ...others]: readonly string[], name: readonly string[]): boolean {
  if (token === undefined) return name.length === 0;
  if (token === '*') return name.concat('').some((_sign, at) => fitsName(others, name.slice(at)));
  return name.length > 0 && (token === '?' || token === name[0]) && fitsName(others, name.slice(1));
}

const matches = (pattern: string, path: string): boolean => matchesAny([compilePathPattern(pattern)], path);

test('a pattern matches the same paths as a naive matcher, whatever wildcards and names it has', () => {
  const name = array(constantFrom('a', 'b', '🏛'), { minLength: 1, maxLength: 5 }).map((signs) => signs.join(''));
  const sign = constantFrom('a', 'b', '🏛', '*', '?', '**');
  const part = array(sign, { minLength: 1, maxLength: 5 }).map((signs) => signs.join(''));
  const run = (numRuns: number, longest: number) =>
    assert(
      property(
        array(part, { maxLength: longest }),
        array(name, { minLength: 1, maxLength: longest }),
        (parts, names) => {
          expect(matches(`/${parts.join('/')}`, `/${names.join('/')}`)).toBe(matchesNaively(parts, names));
        },
      ),
      { numRuns },
    );
  run(fuzzRuns(200_000, 5_000), 4);
  // Patterns with more tokens than a word has bits.
  run(fuzzRuns(5_000, 300), 12);
});

test('a pattern that fills many machine words matches like one that fills a single word', () => {
  for (const length of [30, 31, 32, 33, 63, 64, 65, 500]) {
    const run = 'a'.repeat(length);
    expect(matches(`/*${run}b*/**/?${run}`, `/a${run}b/c/d/x${run}`)).toBe(true);
    expect(matches(`/*${run}b*/**/?${run}`, `/a${run}b/c/d/${run}`)).toBe(false);
    expect(matches(`/${run}*/**/*c`, `/${run}/c`)).toBe(true);
  }
});

test('every character of a path is read once, however often a pattern nearly matches', () => {
  const nearly = compilePathPattern(`/*${'a'.repeat(500)}b*`);
  const stepsFor = (length: number): number => {
    const steps = { taken: 0, max: Number.POSITIVE_INFINITY };
    expect(matchesAny([nearly], `/${'a'.repeat(length)}`, steps)).toBe(false);
    return steps.taken;
  };
  const words = 17;
  expect(stepsFor(4_000) - stepsFor(2_000)).toBeLessThanOrEqual(2_000 * words);
});

test('the steps that patterns take are bounded in advance, whatever their length and that of the path', () => {
  const text = array(constantFrom('a', 'b', '*', '?', '/', '🏛'), { maxLength: 200 }).map((signs) => signs.join(''));
  const path = array(constantFrom('a', 'b', '/', '🏛'), { maxLength: 200 }).map((signs) => `/${signs.join('')}`);
  const known = property(array(text, { minLength: 1, maxLength: 5 }), path, (texts, one) => {
    const patterns = texts.map((pattern) => compilePathPattern(`/${pattern}`));
    const steps = { taken: 0, max: Number.POSITIVE_INFINITY };
    matchesAny(patterns, one, steps);
    expect(steps.taken).toBeLessThanOrEqual(stepsToMatch(patterns, one));
  });
  assert(known, { numRuns: fuzzRuns(20_000, 1_000) });
});

test('patterns that together take too many steps end early and count as a match', () => {
  const patterns = Array.from({ length: 50 }, (_, index) => compilePathPattern(`/*${'a'.repeat(960)}b*${index}*`));
  const steps = { taken: 0, max: 200_000 };
  expect(matchesAny(patterns, `/${'a'.repeat(4_000)}`, steps)).toBe(true);
  expect(steps.taken).toBeLessThan(220_000);
});

test('fifty ordinary patterns are matched exactly even against the longest path', () => {
  const patterns = Array.from({ length: 50 }, (_, index) => compilePathPattern(`**/packages/*-${index}/**/*.test.ts*`));
  const path = `${'/packages/name'.repeat(290)}/x.test.ts`;
  expect(matchesAny(patterns, path)).toBe(false);
  expect(matchesAny(patterns, path.replace('name', 'name-49'))).toBe(true);
});
