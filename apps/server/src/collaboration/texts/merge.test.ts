import { ChangeSet } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeOf } from './merge.ts';
import { asChangeSet, asCodeChanges, textOf } from './positions.ts';
import { createRevisions } from './revisions.ts';
import { diffTexts } from './text-diff.ts';

const merged = (base: string, ours: string, theirs: string) =>
  mergeOf(base, ours, theirs).apply(textOf(ours)).toString();

const lines = fc
  .array(fc.constantFrom('one two', 'three', '🐙 four', '', 'a\r', '👩‍💻x', 'five six seven'), { maxLength: 8 })
  .map((all) => all.join('\n'));

describe('merging', () => {
  test.each([
    ['what was written elsewhere', 'a\nb\nc\n', 'a\nb\nC!\n', 'A\nb\nc\n', 'A\nb\nC!\n'],
    ['words of one line', 'the old cat sat\n', 'the old cat sat down\n', 'the new cat sat\n', 'the new cat sat down\n'],
    ['what both did alike, once', 'a\n', 'a\nb\n', 'a\nb\n', 'a\nb\n'],
    ['both, where both changed the same', 'x\n', 'mine\n', 'theirs\n', 'theirsmine\n'],
    ['a deletion that nobody typed in', 'a\nb\nc\n', 'a\nb\nc\nd\n', 'a\nc\n', 'a\nc\nd\n'],
  ])('keeps %s', (_what, base, ours, theirs, expected) => {
    const result = merged(base, ours, theirs);
    expect([expected, expected.replace('theirsmine', 'minetheirs')]).toContain(result);
  });

  test('takes over changes to text that nobody edited, and does nothing if nothing has changed', () => {
    fc.assert(
      fc.property(lines, lines, (base, other) => {
        expect(merged(base, base, other)).toBe(other);
        expect(merged(base, other, base)).toBe(other);
        expect(merged(base, other, other)).toBe(other);
      }),
    );
  });

  test('never leaves half a character', () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        expect(merged(base, ours, theirs)).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  test('is based on differences that turn one text into the other', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const pieces = diffTexts(a, b).map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) }));
        expect(ChangeSet.of(pieces, a.length).apply(textOf(a)).toString()).toBe(b);
      }),
    );
  });
});

describe('revisions', () => {
  test('are forgotten by number and by size, oldest first', () => {
    const few = createRevisions(textOf('x'), 5, { revisions: 2, bytes: 1e6 });
    for (const text of ['a', 'b', 'c']) few.push(ChangeSet.of({ from: 0, insert: text }, few.text.length));
    expect([few.revision, few.text.toString()]).toEqual([8, 'cbax']);
    expect([5, 6, 7, 8, 9].map((revision) => few.textAt(revision)?.toString())).toEqual([
      undefined,
      'ax',
      'bax',
      'cbax',
      undefined,
    ]);
    // Each change copies the one long line.
    const small = createRevisions(textOf('x'.repeat(10_000)), 0, { revisions: 100, bytes: 65_536 });
    for (let count = 0; count < 20; count++) small.push(ChangeSet.of({ from: 0, insert: 'y' }, small.text.length));
    expect(small.textAt(15)).toBeNull();
    expect(small.textAt(18)).not.toBeNull();
  });

  test('transform a change over later ones as if it came after them', () => {
    const kept = createRevisions(textOf('abc'), 0, { revisions: 10, bytes: 1e6 });
    kept.push(ChangeSet.of({ from: 1, insert: 'X' }, 3));
    kept.push(ChangeSet.of({ from: 2, to: 4 }, 4));
    const late = asChangeSet(textOf('abc'), [
      { type: 'replace', position: { line: 1, column: 2 }, end: { line: 1, column: 3 }, text: 'Y' },
    ]);
    const carried = kept.carry(late, 0);
    expect(asCodeChanges(kept.text, carried)).toEqual([
      { type: 'insert', position: { line: 1, column: 3 }, text: 'Y' },
    ]);
    expect(carried.apply(kept.text).toString()).toBe('aXY');
  });
});
