import { describe, expect, test } from 'vitest';
import type { CodeChange } from '../generated/types.ts';
import { changeOf } from './change.ts';
import { createReplica, type Replica } from './replica.ts';

function opened(content: string): Replica & { uncertain: number[] } {
  const uncertain: number[] = [];
  const replica = createReplica({ onUncertain: (edits) => uncertain.push(edits) });
  replica.open(content, 1);
  return Object.assign(replica, { uncertain });
}
const insertAt = (from: number, insert: string) => changeOf([{ from, to: from, insert }]);
const sent = (column: number, text: string): CodeChange => ({ type: 'insert', position: { line: 1, column }, text });
const takeOne = (replica: Replica) => {
  const [batch, ...others] = replica.take();
  if (!batch || others.length > 0) throw new Error('not one batch');
  return batch;
};

test('typed text is sent one batch at a time, and text that is typed meanwhile goes into the next batch', () => {
  const replica = opened('ab');
  replica.edit(insertAt(1, 'x'));
  const first = takeOne(replica);
  replica.edit(insertAt(2, 'y'));
  replica.edit(insertAt(3, 'z'));
  expect([replica.take(), replica.text]).toEqual([[], 'axyzb']);
  expect(replica.acknowledge(first, first.changes, 2)).toEqual([]);
  expect(takeOne(replica)).toMatchObject({ baseRevision: 2, changes: [sent(3, 'yz')] });
});

test('changes by others are put below unconfirmed ones, and come first at the same place (L3)', () => {
  const replica = opened('ab');
  replica.edit(insertAt(1, 'mine'));
  takeOne(replica);
  replica.edit(insertAt(5, '!'));
  replica.receive([sent(2, 'theirs')], 2);
  expect(replica.text).toBe('atheirsmine!b');
});

test('the text follows the service if the service altered a change', () => {
  const replica = opened('ab');
  replica.edit(insertAt(1, 'x'));
  const batch = takeOne(replica);
  replica.edit(insertAt(3, '!'));
  replica.acknowledge(batch, [sent(3, 'x')], 2);
  expect(replica.text).toBe('abx!');
});

describe('after a lost connection', () => {
  function interrupted() {
    const replica = opened('ab');
    replica.edit(insertAt(1, 'x'));
    const batch = takeOne(replica);
    replica.edit(insertAt(3, '!'));
    replica.disconnect();
    return { replica, batch };
  }

  test('a change that was applied is recognised by its old revision (L24)', () => {
    const { replica, batch } = interrupted();
    replica.open('taxb', 3);
    expect(replica.take()).toEqual([batch]);
    replica.acknowledge(batch, [sent(2, 'x')], 2);
    expect([replica.text, replica.revision]).toEqual(['taxb!', 3]);
    expect(takeOne(replica)).toMatchObject({ baseRevision: 3, changes: [sent(5, '!')] });
  });

  test('a change that was not applied is then applied, at the place to which the service moves it', () => {
    const { replica, batch } = interrupted();
    replica.open('tab', 2);
    replica.take();
    replica.receive([sent(1, 'u')], 3);
    replica.acknowledge(batch, [sent(4, 'x')], 4);
    expect([replica.text, replica.revision]).toEqual(['utaxb!', 4]);
  });

  test('text that was typed without a connection is based on the last known revision', () => {
    const replica = opened('ab');
    replica.disconnect();
    replica.edit(insertAt(1, 'x'));
    replica.open('tab', 2);
    const batch = takeOne(replica);
    expect(batch).toMatchObject({ baseRevision: 1, changes: [sent(2, 'x')] });
    replica.acknowledge(batch, [sent(3, 'x')], 3);
    expect(replica.text).toBe('taxb');
  });

  test.each([
    ['has it', 'taxb', 'taxb!'],
    ['has it not', 'tab', 'taxb!'],
  ])('a change is judged by whether the text %s, if the history is gone', (_what, content, expected) => {
    const { replica, batch } = interrupted();
    replica.open(content, 9);
    replica.take();
    replica.resync(batch, content, 9);
    expect(replica.text).toBe(expected);
  });

  test('a change that was applied but not durable is sent again, and is uncertain if the history is gone', () => {
    const { replica, batch } = interrupted();
    replica.open('axb', 2);
    replica.take();
    replica.acknowledge(batch, [sent(2, 'x')], 2);
    expect([replica.edits, replica.appliedEdits, replica.durableEdits]).toEqual([2, 1, 0]);
    replica.disconnect();
    replica.open('axb', 9);
    const [again, next, ...others] = replica.take();
    expect([again, others]).toEqual([batch, []]);
    replica.resync(batch, 'axb', 9);
    expect(replica.uncertain).toEqual([1]);
    if (next) replica.resync(next, 'axb', 9);
    expect(replica.text).toBe('axb!');
    expect(takeOne(replica)).toMatchObject({ baseRevision: 9, changes: [sent(4, '!')] });
  });
});

test('a refused change is taken back, and text that was typed since stays', () => {
  const replica = opened('ab');
  replica.edit(insertAt(1, 'x'));
  const batch = takeOne(replica);
  replica.edit(insertAt(3, '!'));
  replica.refuse(batch);
  expect(replica.text).toBe('ab!');
});

test('a very large change is sent in parts, none of which cuts a character', () => {
  const replica = opened('');
  replica.edit(insertAt(0, `x${'🐙'.repeat(200_000)}`));
  let [text, revision] = ['', 1];
  for (let [batch] = replica.take(); batch; [batch] = replica.take()) {
    const [change] = batch.changes;
    if (change?.type !== 'insert') throw new Error('another change');
    expect(change.text.isWellFormed()).toBe(true);
    text += change.text;
    replica.acknowledge(batch, batch.changes, ++revision);
  }
  expect([text === replica.text, revision]).toEqual([true, 4]);
  const many = changeOf(Array.from({ length: 3000 }, (_, at) => ({ from: at * 2, to: at * 2 + 1, insert: '' })));
  replica.edit(many);
  for (let [batch] = replica.take(); batch; [batch] = replica.take()) {
    expect(batch.changes.length).toBeLessThanOrEqual(1000);
    replica.acknowledge(batch, batch.changes, ++revision);
  }
  expect(replica.appliedEdits).toBe(2);
});
