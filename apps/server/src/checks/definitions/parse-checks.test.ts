import { expect, test } from 'vitest';
import { appliesTo, definitionDigest } from './definitions.service.ts';
import { type CheckDefinition, inOrder, parseChecks } from './parse-checks.ts';

const parsed = (checks: unknown) => parseChecks(JSON.stringify({ checks }));
const only = (check: Record<string, unknown>): CheckDefinition => {
  const [one] = parsed({ test: { run: 'npm test', ...check } });
  if (!one) throw new Error('there is no check');
  return one;
};

test('a check has its command, and empty lists for omitted settings', () => {
  expect(parsed({ test: { run: 'npm test' } })).toEqual([
    { name: 'test', run: 'npm test', paths: [], needs: [], timeout: null, cache: [], reports: [] },
  ]);
  expect(only({ cache: ['./node_modules/', 'a//b'], timeout: 60 })).toMatchObject({
    cache: ['node_modules', 'a/b'],
    timeout: 60,
  });
});

test('a project without bottega.json or without checks has no checks', () => {
  expect([parseChecks(null), parseChecks('{}'), parsed(null), parsed({})]).toEqual([[], [], [], []]);
});

test.each([
  ['[1]', 'bottega.json is not a JSON object'],
  ['{', 'bottega.json is not a JSON object'],
  ['{"checks": []}', 'bottega.json: checks must be an object'],
  ['{"checks": {"test": "npm test"}}', 'bottega.json: checks.test must be an object'],
  ['{"checks": {"test": {}}}', 'bottega.json: checks.test.run must be a string'],
  ['{"checks": {"test": {"run": " "}}}', 'checks.test.run must be a command'],
  ['{"checks": {"test": {"run": "x", "neds": []}}}', 'checks.test.neds is not a known setting'],
  ['{"checks": {"test": {"run": "x", "needs": "lint"}}}', 'checks.test.needs must be a list of strings'],
  ['{"checks": {"test": {"run": "x", "needs": ["lint"]}}}', 'checks.test.needs names lint, which is not a check'],
  ['{"checks": {"test": {"run": "x", "timeout": 0.5}}}', 'checks.test.timeout must be a whole number of seconds'],
  ['{"checks": {"test": {"run": "x", "cache": ["../up"]}}}', 'checks.test.cache must name paths below the root'],
  ['{"checks": {"test": {"run": "x", "cache": ["/etc"]}}}', 'checks.test.cache must name paths below the root'],
  ['{"checks": {"test": {"run": "x", "reports": ["."]}}}', 'checks.test.reports must name paths below the root'],
  ['{"checks": {"a\\u0000b": {"run": "x"}}}', 'the name of a check must have 1 to 100 characters'],
])('the file %s is refused with words that say what is wrong', (text, message) => {
  expect(() => parseChecks(text)).toThrow(message);
});

test('checks that need each other in a circle are refused, and so are more than fifty checks', () => {
  const circle = { a: { run: 'a', needs: ['b'] }, b: { run: 'b', needs: ['c'] }, c: { run: 'c', needs: ['a'] } };
  expect(() => parsed({ free: { run: 'x' }, ...circle })).toThrow('checks.a.needs leads back to a');
  expect(() => parsed({ a: { run: 'a', needs: ['a'] } })).toThrow('checks.a.needs leads back to a');
  const many = (count: number) =>
    parsed(Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, { run: 'x' }])));
  expect(many(50)).toHaveLength(50);
  expect(() => many(51)).toThrow('checks can have at most 50 entries');
});

test('checks are sorted so that needed checks come first', () => {
  const all = parsed({ c: { run: 'c', needs: ['b'] }, b: { run: 'b', needs: ['a'] }, a: { run: 'a' } });
  expect(inOrder(all).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(inOrder(all.filter(({ name }) => name !== 'a')).map(({ name }) => name)).toEqual(['b', 'c']);
});

test('two definitions have the same digest if they do the same, regardless of their paths and the order of their lists', () => {
  const digest = (check: Record<string, unknown>) => definitionDigest(only(check)).toString('hex');
  expect(digest({ cache: ['a', 'b'] })).toBe(digest({ cache: ['b', 'a'], paths: ['src/**'] }));
  const different = [{}, { run: 'x' }, { timeout: 9 }, { cache: ['a'] }, { reports: ['a'] }].map(digest);
  expect(new Set(different).size).toBe(different.length);
});

test('a check applies if one of its patterns matches a changed file, and always applies if it has no patterns', () => {
  const check = only({ paths: ['src/**', '*.md'] });
  expect(appliesTo(check, ['/docs/a.md', '/lib/b.ts'])).toBe(false);
  expect(appliesTo(check, ['/docs/a.md', '/src/deep/b.ts'])).toBe(true);
  expect(appliesTo(check, ['README.md'])).toBe(true);
  expect(appliesTo(only({}), [])).toBe(true);
});
