import { type ReasonCode, reasons } from '@bottega/contract';
import { expect, test } from 'vitest';
import { reasonIn } from './reason.tsx';
import { reasonWords } from './reasons.words.ts';

const codes = Object.keys(reasons) as ReasonCode[];
const valuesIn = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

test('every reason of the service has a German text with the same values', () => {
  for (const code of codes) {
    expect(reasonWords.de[code], code).not.toBe('');
    expect(valuesIn(reasonWords.de[code]), code).toEqual(valuesIn(reasons[code]));
  }
});

test('a reason is shown in the words for its code, with its values', () => {
  const error = {
    message: 'The build command exited with code 2',
    message_code: 'build_exited',
    message_values: { code: '2' },
  };
  expect(reasonIn(reasonWords.de, 'message', error)).toBe('Der Build-Befehl endete mit Code 2');
  expect(reasonIn(reasonWords.en, 'message', error)).toBe(error.message);
});

test('a reason without a code, or with a code unknown to this page, has no words', () => {
  for (const reason_code of [null, 'of_tomorrow', 'toString']) {
    expect(reasonIn(reasonWords.de, 'reason', { reason: 'Something else', reason_code, reason_values: {} })).toBeNull();
  }
});
