import { expect, test } from 'vitest';
import { pathsIn } from './annotations.ts';
import { failuresIn } from './junit.ts';

const files = new Set(['/src/a.test.ts', '/src/b.ts', '/lib/c.py']);
const pathOf = pathsIn(files, ['/workspace/']);

async function read(xml: string) {
  const problems: string[] = [];
  const said = await failuresIn(xml, { pathOf, onProblem: (problem) => problems.push(problem) });
  return { said, problems };
}

test('failures and errors of cases are reported at the place in their attributes', async () => {
  const { said, problems } = await read(`<?xml version="1.0"?>
    <testsuites><testsuite name="s">
      <testcase classname="adds" name="one &amp; two" file="src/a.test.ts" line="12">
        <failure message="expected 3">AssertionError: expected 3 to be 4</failure></testcase>
      <testcase name="passes" file="src/a.test.ts" line="13"/>
      <testcase name="breaks" file="./src/b.ts"><error><![CDATA[TypeError
  at /workspace/src/b.ts:7:3]]></error></testcase>
    </testsuite></testsuites>`);
  expect(problems).toEqual([]);
  expect(said).toEqual([
    {
      path: '/src/a.test.ts',
      start_line: 12,
      end_line: 12,
      annotation_level: 'failure',
      title: 'adds: one & two',
      message: 'expected 3\nAssertionError: expected 3 to be 4',
    },
    expect.objectContaining({ path: '/src/b.ts', start_line: 7, title: 'breaks' }),
  ]);
});

test('a case without a place is located by the first file of the tree in its text', async () => {
  const { said } = await read(`<testsuite><testcase name="t"><failure>
    at 10:30 Error in node_modules/x/index.js:9:1
    at run (/workspace/lib/c.py:44:2)
    at src/b.ts:1</failure></testcase>
    <testcase name="nowhere"><failure>no place</failure></testcase></testsuite>`);
  expect(said).toMatchObject([{ path: 'lib/c.py', start_line: 44 }].map((one) => ({ ...one, path: said[0]?.path })));
  expect(said).toHaveLength(1);
  expect(pathOf(said[0]?.path ?? '')).toBe('/lib/c.py');
});

test('the file of a suite applies to its cases', async () => {
  const { said } = await read(`<testsuite file="src/b.ts"><testcase name="t"><failure/></testcase></testsuite>`);
  expect(said).toMatchObject([{ path: '/src/b.ts', start_line: 1, message: 'The test failed' }]);
});

test('a truncated report counts as far as it goes', async () => {
  const whole = `<testcase name="t" file="src/b.ts"><failure>f</failure></testcase>`;
  expect((await read(`<testsuite>${whole}<testcase name="u" fi`)).said).toHaveLength(1);
});

test.each([
  ['no XML', 'just text', 'is not well-formed XML'],
  ['entities of its own', '<!DOCTYPE x [<!ENTITY e "boom">]><testsuite>&e;</testsuite>', 'is not well-formed XML'],
  ['many levels', '<a>'.repeat(100), 'has more than 32 levels'],
])('a report with %s is reported as a problem', async (_, xml, problem) => {
  expect((await read(xml)).problems).toEqual([problem]);
});

test('500 failures of a report are kept, even if all its texts are long', async () => {
  const hostile = 'a/'.repeat(8_000);
  const one = `<testcase name="t" file="src/b.ts"><failure>${hostile}</failure></testcase>`;
  const { said } = await read(`<testsuite>${one.repeat(1_000)}</testsuite>`);
  expect(said).toHaveLength(500);
});
