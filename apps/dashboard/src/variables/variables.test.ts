import { describe, expect, test } from 'vitest';
import { newPair } from '../kit/pairs.ts';
import { asRecord, problemIn, variablesIn } from './variables.ts';

describe('pasted variables', () => {
  test('are parsed like an .env file', () => {
    const text = '# for the build\nA=1\r\nexport B = "two words"\n\nnot a variable\nC=\'a=b\'\nD=';
    expect(asRecord(variablesIn(text))).toEqual({ A: '1', B: 'two words', C: 'a=b', D: '' });
    expect(variablesIn('just a name')).toEqual([]);
  });
});

describe('rows of variables', () => {
  test('need a valid and unique name; an empty row is ignored', () => {
    const rows = [newPair('A', '1'), newPair('2b', ''), newPair('A', '2'), newPair()];
    expect(rows.map((_row, index) => problemIn(rows, index))).toEqual([null, 'badName', 'twice', null]);
    expect(problemIn([newPair('', 'value')], 0)).toBe('badName');
    expect(asRecord([newPair('A', '1'), newPair()])).toEqual({ A: '1' });
  });
});
