import { expect, test } from 'vitest';
import { withCtrl } from './key-bar.tsx';

test.each([
  ['c', '\u0003'],
  ['C', '\u0003'],
  ['[', '\u001b'],
  ['z', '\u001a'],
  ['1', '1'],
  ['ä', 'ä'],
  ['two', 'two'],
])('%s, typed with Ctrl, is %j', (typed, sent) => expect(withCtrl(typed)).toBe(sent));
