import type { MergeRequestVersion, Review } from '@bottega/contract';
import { expect, test } from 'vitest';
import { timelineOf, verdictOf } from './timeline.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const version = (number: number, minute: number): MergeRequestVersion => ({
  version: number,
  head_sha: 'a'.repeat(40),
  base_sha: 'b'.repeat(40),
  merge_base_sha: null,
  pushed_by: null,
  created_at: at(minute),
});
const review = (id: string, minute: number, change: Partial<Review> = {}): Review => ({
  id,
  author: { id: 'usr_1', name: 'Ada' },
  event: 'COMMENT',
  body: '',
  version: 1,
  holds: true,
  submitted_at: at(minute),
  ...change,
});

test('entries are in chronological order, and a push comes before a review of the same moment', () => {
  const entries = timelineOf({ versions: [version(2, 5), version(1, 0)], reviews: [review('mrr_1', 5)], threads: [] });
  expect(entries.map(({ key }) => key)).toEqual(['version 1', 'version 2', 'mrr_1']);
});

test('the last verdict of a person counts as long as it refers to the newest changes', () => {
  const asked = review('mrr_1', 1, { event: 'REQUEST_CHANGES', holds: false });
  const approved = review('mrr_2', 2, { event: 'APPROVE' });
  const said = review('mrr_3', 3, { holds: false });
  expect(verdictOf([asked, approved, said], 'usr_1')).toBe('approved');
  expect(verdictOf([{ ...approved, holds: false }], 'usr_1')).toBe('outdated');
  expect(verdictOf([said], 'usr_1')).toBe('commented');
  expect(verdictOf([approved], 'usr_2')).toBe('waiting');
});
