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

  test('has to match the whole, whether it says so or not', () => {
    for (const pattern of ['[a-z]+', '^[a-z]+$', '^[a-z]+', '[a-z]+$']) {
      expect(matchesPattern(pattern, 'abc')).toBe(true);
      for (const text of ['abc1', '1abc', 'abc\n', '']) expect(matchesPattern(pattern, text)).toBe(false);
    }
    expect(matchesPattern('\\$', '$')).toBe(true);
  });

  test('is not asked about long texts', () => {
    expect(matchesPattern('a*', 'a'.repeat(200))).toBe(true);
    expect(matchesPattern('a*', 'a'.repeat(201))).toBe(false);
  });
});
