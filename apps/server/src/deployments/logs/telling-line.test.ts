import { expect, test } from 'vitest';
import { tellingLine } from './telling-line.ts';

test('the quoted line of the standard error is the line that names the error, not the lines of tools after it', () => {
  const node = [
    '/workspace/server.js:3',
    'throw new TypeError("no");',
    '^',
    '',
    'TypeError: no',
    '    at Object.<anonymous> (/workspace/server.js:3:7)',
    '',
    'Node.js v24.1.0',
  ];
  expect(tellingLine(node)).toBe('TypeError: no');
  expect(
    tellingLine([
      'Traceback (most recent call last):',
      '  File "a.py", line 1',
      "ModuleNotFoundError: No module named 'x'",
    ]),
  ).toBe("ModuleNotFoundError: No module named 'x'");
  expect(
    tellingLine([
      '\u001b[31msrc/a.ts(3,5): error TS2322: not so\u001b[0m',
      'npm error code 2',
      'npm error path /workspace',
    ]),
  ).toBe('src/a.ts(3,5): error TS2322: not so');
  expect(tellingLine(['one', 'two', ''])).toBe('two');
  expect(tellingLine(['npm error code 2'])).toBe('npm error code 2');
  expect(tellingLine(['at first it worked', '    at main (a.js:1:2)', '      ^~~~'])).toBe('at first it worked');
  expect(tellingLine(['IndexError: out of range', 'errors: 1', `${' '.repeat(9)}x`])).toBe('IndexError: out of range');
  expect(tellingLine([])).toBeNull();
  expect(tellingLine(['x'.repeat(5000)])).toHaveLength(500);
});
