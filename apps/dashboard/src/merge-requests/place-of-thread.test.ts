import type { ReviewThread } from '@bottega/contract';
import { expect, test } from 'vitest';
import { shownPlace, whereOf } from './place-of-thread.ts';
import { threadWords } from './thread.words.ts';

const begun = { path: '/a.ts', side: 'RIGHT', start_line: 3, line: 4 } as const;
const thread = (change: Partial<ReviewThread> = {}): ReviewThread => ({
  id: 'mrt_1',
  path: '/a.ts',
  side: 'RIGHT',
  start_line: 13,
  line: 14,
  outdated: false,
  origin: { version: 1, text: 'x\ny', ...begun },
  resolved: false,
  resolved_by: null,
  resolved_at: null,
  comments: [],
  created_at: '2026-01-02T03:04:05.000Z',
  ...change,
});

test('the newest version shows a thread at its current place, unless its lines are gone', () => {
  expect(shownPlace(thread(), { from: undefined, to: 3 }, 3)).toMatchObject({ start_line: 13, line: 14 });
  expect(shownPlace(thread({ outdated: true }), { from: undefined, to: 3 }, 3)).toBeNull();
});

test('an older version shows the threads that were started on it', () => {
  expect(shownPlace(thread({ outdated: true }), { from: undefined, to: 1 }, 3)).toMatchObject(begun);
  expect(shownPlace(thread(), { from: undefined, to: 2 }, 3)).toBeNull();
});

test('a comparison of two versions shows no thread on the left side, which is not the merge base', () => {
  expect(shownPlace(thread({ side: 'LEFT' }), { from: 1, to: 3 }, 3)).toBeNull();
  expect(shownPlace(thread(), { from: 1, to: 3 }, 3)).not.toBeNull();
});

test('the place of a thread is described with its file, lines and side', () => {
  const words = threadWords.en;
  expect(whereOf(thread(), words)).toBe('/a.ts, lines 13–14');
  expect(whereOf(thread({ outdated: true }), words)).toBe('/a.ts, lines 3–4');
  expect(whereOf(thread({ side: 'LEFT', start_line: null }), words)).toBe('/a.ts, line 14 (before)');
  expect(whereOf(thread({ start_line: null, line: null }), words)).toBe('/a.ts');
  expect(whereOf(thread({ path: null, line: null }), words)).toBeNull();
});
