import { expect, test } from 'vitest';
import { wordsOfCode } from './refusal-words.ts';

test('a refusal is worded by its code in other languages, and by the service in English or where the code is unknown', () => {
  expect(wordsOfCode('CONFLICT', 'de')).toBe('Das ist beim jetzigen Stand nicht möglich');
  expect(wordsOfCode('CONFLICT', 'en')).toBeNull();
  expect(wordsOfCode('TEAPOT', 'de')).toBeNull();
});
