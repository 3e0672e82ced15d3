import { expect, test } from 'vitest';
import { wordsOfCode } from './refusal-words.ts';

test('a refusal is translated by its code; in English, or if the code is unknown, it keeps the words of the service', () => {
  expect(wordsOfCode('CONFLICT', 'de')).toBe('Das ist beim jetzigen Stand nicht möglich');
  expect(wordsOfCode('CONFLICT', 'en')).toBeNull();
  expect(wordsOfCode('TEAPOT', 'de')).toBeNull();
});
