import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { array, assert, constantFrom, integer, oneof, property, record, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../testing/runner/thoroughness.ts';
import { useGitRepository } from './git-repository.fixture.ts';
import { unifiedDiff } from './unified-diff.ts';

const { directory, git } = useGitRepository();

const line = oneof(
  constantFrom(
    'a',
    'b',
    'c',
    '',
    '-',
    '+',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '\\ No newline at end of file',
    ' ',
    'é\r',
  ),
  string({ unit: 'grapheme', maxLength: 10 }).map((text) => text.replaceAll(/[\n\0]/g, '')),
);
const text = tuple(array(line, { maxLength: 25 }), constantFrom('', '\n')).map(([all, end]) => all.join('\n') + end);
/** Two unrelated texts, or one with some lines exchanged, so that there is context. */
const pair = oneof(
  tuple(text, text),
  tuple(text, array(tuple(integer({ min: 0, max: 30 }), line), { maxLength: 4 })).map(([old, edits]) => {
    const lines = old.split('\n');
    for (const [at, content] of edits) lines.splice(at % (lines.length + 1), at % 3, content);
    return [old, lines.join('\n')] as const;
  }),
);
const kind = constantFrom('change', 'create', 'delete', 'rename');
const name = constantFrom(
  'plain',
  'with space',
  'quo"te',
  'back\\slash',
  'tab\tbed',
  'umläut',
  'dir/below',
  'ctl\u0001',
);

function put(path: string, content: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

test('git apply turns any text into another one with their diff', () => {
  const file = record({ pair, kind, name, context: integer({ min: 1, max: 5 }) });
  assert(
    property(array(file, { minLength: 1, maxLength: 12 }), (files) => {
      const plan = files.map(({ pair: [old, now], kind, name, context }, i) => ({
        oldPath: kind === 'create' ? null : `work/${i} ${name}`,
        newPath: kind === 'delete' ? null : `work/${i} ${kind === 'rename' ? `renamed ${name}` : name}`,
        old: kind === 'create' ? '' : old,
        new: kind === 'delete' ? '' : now,
        context,
      }));
      rmSync(join(directory, 'work'), { recursive: true, force: true });
      for (const { oldPath, old } of plan) if (oldPath) put(oldPath, old);
      const patch = plan.map(unifiedDiff).join('');
      if (patch) git(['apply', '--whitespace=nowarn'], patch);
      for (const { oldPath, newPath, new: now } of plan) {
        if (newPath) expect(readFileSync(join(directory, newPath), 'utf8')).toBe(now);
        if (oldPath && oldPath !== newPath) expect(existsSync(join(directory, oldPath))).toBe(false);
      }
    }),
    { numRuns: fuzzRuns(300, 15), seed: 1 },
  );
});

test('a diff looks as git prints it', () => {
  const old = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join('');
  const now = old.replace('line 2\n', 'second\n').replace('line 9\n', '').replace('line 20\n', 'line 20');
  put('file', old);
  git(['add', 'file']);
  put('file', now);
  const theirs = git(['diff', '--no-color', 'file'])
    .toString()
    .replace(/^index .*\n/m, '');
  // Git repeats the line above a hunk after the second @@. This diff leaves it out.
  expect(unifiedDiff({ oldPath: 'file', newPath: 'file', old, new: now })).toBe(
    theirs.replaceAll(/^(@@ .* @@) .*$/gm, '$1'),
  );
});

test('without context, a diff has only the changed lines, and an empty range is named by the line before it', () => {
  expect(unifiedDiff({ oldPath: 'f', newPath: 'f', old: 'a\nb\nc\n', new: 'a\nc\nd\ne\n', context: 0 })).toBe(
    'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -2 +1,0 @@\n-b\n@@ -3,0 +3,2 @@\n+d\n+e\n',
  );
});

test('created and deleted files have /dev/null on the other side, even if they are empty', () => {
  expect(unifiedDiff({ oldPath: null, newPath: 'f', old: '', new: 'a' })).toBe(
    'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n',
  );
  expect(unifiedDiff({ oldPath: 'f', newPath: null, old: 'a\n', new: '', mode: 0o100755 })).toBe(
    'diff --git a/f b/f\ndeleted file mode 100755\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
  );
  expect(unifiedDiff({ oldPath: null, newPath: 'f', old: '', new: '' })).toBe(
    'diff --git a/f b/f\nnew file mode 100644\n',
  );
});

test('equal texts have an empty diff, and a rename without changes has no hunks', () => {
  expect(unifiedDiff({ oldPath: 'f', newPath: 'f', old: 'a', new: 'a' })).toBe('');
  expect(unifiedDiff({ oldPath: 'f', newPath: 'g', old: 'a', new: 'a' })).toBe(
    'diff --git a/f b/g\nrename from f\nrename to g\n',
  );
});
