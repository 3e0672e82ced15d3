import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPattern, whyNotPattern } from './pattern.ts';

describe('a pattern', () => {
  test.each([
    '[a-z][a-z0-9-]*',
    '^[a-z]+$',
    '\\d{1,5}',
    'v\\d+\\.\\d+',
    'a?b?c?d?',
    '.+',
    '[^\\]/]*',
    'ä+',
    '\\$x',
    'a{3}',
    '\\w+ \\w+',
  ])('may be %s', (pattern) => {
    expect(whyNotPattern(pattern)).toBeNull();
  });

  test.each([
    '(a+)+',
    'a|b',
    '(?=a)',
    '\\1',
    'a++',
    '*',
    '[z-a]',
    '[',
    'a{2,1}',
    '\\p{L}',
    'a*b*c*',
    '(?<n>a)',
    'a$b',
    '[a',
    'x{1,2000}',
    '\\',
  ])('may not be %s', (pattern) => {
    expect(whyNotPattern(pattern)).toEqual(expect.any(String));
  });

  test('has to match the whole text, with or without ^ and $', () => {
    for (const pattern of ['[a-z]+', '^[a-z]+$', '^[a-z]+', '[a-z]+$']) {
      expect(matchesPattern(pattern, 'abc')).toBe(true);
      for (const text of ['abc1', '1abc', 'abc\n', '']) expect(matchesPattern(pattern, text)).toBe(false);
    }
    expect(matchesPattern('\\$', '$')).toBe(true);
  });

  test('matches no text that is longer than 200 characters', () => {
    expect(matchesPattern('a*', 'a'.repeat(200))).toBe(true);
    expect(matchesPattern('a*', 'a'.repeat(201))).toBe(false);
  });

  test('of optional pieces is matched quickly, however many there are', () => {
    expect(matchesPattern('a?'.repeat(100), `${'a'.repeat(99)}b`)).toBe(false);
    expect(matchesPattern('a?'.repeat(100), 'a'.repeat(100))).toBe(true);
  });

  test('matches the same texts as the regular expression', () => {
    const pieces = fc.constantFrom('a', 'b?', '[ab]', '[^a]', '\\w', '\\.', '.', 'ä?');
    const repeated = fc.constantFrom('', 'a*', 'b+', '[ab]{2}', '.{1,3}', '\\s{0,}', 'a{0,2}');
    const patterns = fc.tuple(
      fc.array(pieces, { maxLength: 5 }),
      repeated,
      fc.array(pieces, { maxLength: 5 }),
      repeated,
    );
    fc.assert(
      fc.property(patterns, fc.string({ unit: fc.constantFrom(...'aabb. ä😀\n'), maxLength: 8 }), (parts, text) => {
        const pattern = parts.flat().join('');
        expect(matchesPattern(pattern, text)).toBe(new RegExp(`^(?:${pattern})$`, 'u').test(text));
      }),
      { numRuns: 2000 },
    );
  });
});
