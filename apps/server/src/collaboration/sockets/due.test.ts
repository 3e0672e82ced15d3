import { describe, expect, test } from 'vitest';
import { createDue } from './due.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const isNamed = (item: string, wanted: ReadonlySet<string>) => wanted.has(item);

/** After the first check, which covers everything. */
function settled() {
  const due = createDue<string>(2);
  expect(due.take(items, isNamed)).toEqual(items);
  return due;
}

describe('the next check', () => {
  test('covers an announced item, once, and nothing else', () => {
    const due = settled();
    due.want('d');
    expect(due.take(items, isNamed)).toEqual(['d']);
    expect(due.take(items, isNamed)).toEqual([]);
  });

  test('covers a few items in turn as time passes, however many there are', () => {
    const due = settled();
    const turns = [1, 2, 3].map(() => {
      due.nextTurn(true);
      return due.take(items, isNamed);
    });
    expect(turns).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('covers everything after an unspecific announcement, or while no announcements can arrive', () => {
    const due = settled();
    due.want();
    expect(due.take(items, isNamed)).toEqual(items);
    due.nextTurn(false);
    expect(due.take(items, isNamed)).toEqual(items);
  });

  test('covers everything after a failed check', () => {
    const due = settled();
    due.want('d');
    due.take(items, isNamed);
    expect(() => due.again(new Error('the database is away'))).toThrow('away');
    expect(due.take(items, isNamed)).toEqual(items);
  });
});
