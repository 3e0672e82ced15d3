import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSourceError } from './compiler-errors.ts';

test.each([
  [
    'tsc',
    "src/main.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    {
      file: 'src/main.ts',
      line: 3,
      column: 5,
      code: 'TS2322',
      message: "Type 'string' is not assignable to type 'number'.",
    },
  ],
  [
    'tsc in colours',
    '\u001b[96msrc/a.ts\u001b[0m:\u001b[93m1\u001b[0m:\u001b[93m7\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS1005: \u001b[0m; expected.',
    { file: 'src/a.ts', line: 1, column: 7, code: 'TS1005', message: '; expected.' },
  ],
  [
    'rustc',
    'error[E0308]: mismatched types\n  --> src/main.rs:2:18\n',
    { file: 'src/main.rs', line: 2, column: 18, code: 'E0308', message: 'mismatched types' },
  ],
  [
    'esbuild',
    '✘ [ERROR] Could not resolve "./x"\n\n    src/a.js:1:7:\n      1 │ import "../x"',
    { file: 'src/a.js', line: 1, column: 7, code: null, message: 'Could not resolve "./x"' },
  ],
  [
    'gcc',
    'main.c:4:3: error: unknown type name ‘foo’',
    { file: 'main.c', line: 4, column: 3, code: null, message: 'unknown type name ‘foo’' },
  ],
  [
    'Babel',
    'SyntaxError: /workspace/src/a.js: Unexpected token (7:12)',
    { file: 'src/a.js', line: 7, column: 12, code: 'SyntaxError', message: 'Unexpected token' },
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "build.py", line 3, in <module>\n    boom()\nNameError: name \'boom\' is not defined',
    { file: 'build.py', line: 3, column: null, code: 'NameError', message: "name 'boom' is not defined" },
  ],
  [
    'Node',
    "/workspace/build.js:2\n  const x = ;\n            ^\n\nSyntaxError: Unexpected token ';'",
    { file: 'build.js', line: 2, column: 13, code: 'SyntaxError', message: "Unexpected token ';'" },
  ],
  [
    'Go',
    './main.go:5:2: undefined: foo',
    { file: 'main.go', line: 5, column: 2, code: null, message: 'undefined: foo' },
  ],
])('an error reported by %s is found', (_compiler, output, expected) => {
  expect(findSourceError(['some line before', ...output.split('\n'), 'and one behind'])).toEqual(expected);
});

test('no error is found in output without one', () => {
  expect(findSourceError(['npm error code ELIFECYCLE', 'Error: it failed'])).toBeNull();
});

test('only the last 400 lines are searched, and only the beginning of each', () => {
  const error = 'main.c:4:3: error: no';
  const lines = (count: number) => Array.from({ length: count }, () => 'x');
  expect(findSourceError([error, ...lines(399)])?.file).toBe('main.c');
  expect(findSourceError([error, ...lines(400)])).toBeNull();
  expect(findSourceError([`main.c:4:3: error: ${'x'.repeat(50_000)}`])?.message.length).toBeLessThan(1_000);
  expect(findSourceError([`${'x'.repeat(1_000)}.c:4:3: error: no`])).toBeNull();
});

/** Parts of compiler output, and text that makes patterns backtrack. */
const parts = [
  ' ',
  '\t',
  'a',
  ':',
  '/',
  '^',
  '(',
  '[',
  ' [a',
  ' (1',
  '1',
  '\u001b[1',
  'Error',
  'error: ',
  'E: /a: ',
  'a:1:1: error: b',
];
const whole = [
  'File "a", line 1',
  '  File "a", line 1',
  '[ERROR] a',
  'error[E1]: a',
  '/a:1',
  '',
  'a(1,1): error TS1: ',
  'aError: /a: b',
];

test('the search ends for any output of a build, up to the limit of what is searched', () => {
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom(...whole, ''), fc.constantFrom(...parts))
      .map(([begin, part]) => begin + part.repeat(16_000 / part.length)),
    fc.constantFrom(...whole).map((text) => text.repeat(16_000 / (text.length + 1))),
    fc.constantFrom(...whole),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (some) => {
      const lines = Array.from({ length: 400 }, (_, index) => some[index % some.length] ?? '');
      const found = findSourceError(lines);
      expect(found === null || found.message.length <= 1_000).toBe(true);
    }),
    { numRuns: 60 },
  );
});
