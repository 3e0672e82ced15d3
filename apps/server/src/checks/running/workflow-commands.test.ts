import { expect, test } from 'vitest';
import { commandOf } from './workflow-commands.ts';

const at = (line: string) => commandOf(line);

test('a command contains the level, the file, the lines and the title', () => {
  expect(at('::error file=src/a.ts,line=3,endLine=4,title=Type error::x is not a number')).toEqual({
    path: 'src/a.ts',
    start_line: 3,
    end_line: 4,
    annotation_level: 'failure',
    title: 'Type error',
    message: 'x is not a number',
  });
  expect(at('  ::warning file=a,line=7::w')).toMatchObject({ annotation_level: 'warning', start_line: 7, end_line: 7 });
  expect(at('::notice file=a::n')).toMatchObject({ annotation_level: 'notice', start_line: 1, end_line: 1, title: '' });
});

test('escaped characters are decoded, and nothing else is', () => {
  const said = at('::error file=a%2Cb.ts,title=50%25%3A half::first%0Asecond%0D%0Athird %41 100%');
  expect(said).toMatchObject({ path: 'a,b.ts', title: '50%: half', message: 'first\nsecond\r\nthird %41 100%' });
});

test('an end before the beginning, and line numbers that are not numbers, are corrected', () => {
  expect(at('::error file=a,line=9,endLine=3::m')).toMatchObject({ start_line: 9, end_line: 9 });
  expect(at('::error file=a,line=x,endLine=-1::m')).toMatchObject({ start_line: 1, end_line: 1 });
  expect(at('::error file=a,line=99999999999::m')).toMatchObject({ start_line: 1 });
});

test.each([
  'plain',
  '::',
  '::error',
  '::error::no file',
  '::error file=a::',
  '::group::x',
  '::constructor file=a::m',
  ':: file=a::m',
])('%s is not a workflow command', (line) => {
  expect(at(line)).toBeNull();
});
