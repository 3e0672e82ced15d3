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

describe('what is looked at next', () => {
  test('is what was announced, once, and nothing else', () => {
    const due = settled();
    due.want('d');
    expect(due.take(items, isNamed)).toEqual(['d']);
    expect(due.take(items, isNamed)).toEqual([]);
  });

  test('is a few in turn as time passes, however many there are', () => {
    const due = settled();
    const turns = [1, 2, 3].map(() => {
      due.nextTurn(true);
      return due.take(items, isNamed);
    });
    expect(turns).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('is everything where an announcement says nothing more, or while none may arrive', () => {
    const due = settled();
    due.want();
    expect(due.take(items, isNamed)).toEqual(items);
    due.nextTurn(false);
    expect(due.take(items, isNamed)).toEqual(items);
  });

  test('is everything after a look that failed', () => {
    const due = settled();
    due.want('d');
    due.take(items, isNamed);
    expect(() => due.again(new Error('the database is away'))).toThrow('away');
    expect(due.take(items, isNamed)).toEqual(items);
  });
});
