import { describe, expect, test } from 'vitest';
import { asRecord, newVariable, problemIn, variablesIn } from './variables.ts';

describe('pasted variables', () => {
  test('are taken as an .env file has them', () => {
    const text = '# for the build\nA=1\r\nexport B = "two words"\n\nnot a variable\nC=\'a=b\'\nD=';
    expect(asRecord(variablesIn(text))).toEqual({ A: '1', B: 'two words', C: 'a=b', D: '' });
    expect(variablesIn('just a name')).toEqual([]);
  });
});

describe('rows of variables', () => {
  test('are right by name and once; an empty row is no variable', () => {
    const rows = [newVariable('A', '1'), newVariable('2b', ''), newVariable('A', '2'), newVariable()];
    expect(rows.map((_row, index) => problemIn(rows, index))).toEqual([null, 'badName', 'twice', null]);
    expect(problemIn([newVariable('', 'value')], 0)).toBe('badName');
    expect(asRecord([newVariable('A', '1'), newVariable()])).toEqual({ A: '1' });
  });
});
