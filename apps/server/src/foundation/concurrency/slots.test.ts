import { describe, expect, it } from 'vitest';
import { createSlots } from './slots.ts';

/** A task that runs until the test ends it, and records when it began. */
function heldTask(begun: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    end: () => resolve(name),
    task: () => {
      begun.push(name);
      return promise;
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('serve a second account at once, however busy the first is', async () => {
    const slots = createSlots({ total: 4, perAccount: 3, maxWaiting: 100 });
    const begun: string[] = [];
    const first = Array.from({ length: 50 }, (_, index) => heldTask(begun, `a${index}`));
    const running = first.map(({ task }) => slots.run('a', task));
    const second = heldTask(begun, 'b0');
    const served = slots.run('b', second.task);
    await settle();
    expect(begun).toEqual(['a0', 'a1', 'a2', 'b0']);
    for (const { end } of [...first, second]) end();
    await Promise.all([...running, served]);
    expect(begun).toHaveLength(51);
    expect(slots.figures()).toEqual({ running: 0, waiting: 0 });
  });

  it('let accounts take turns when all places are taken', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 100 });
    const begun: string[] = [];
    const tasks = ['a', 'a', 'a', 'b', 'b', 'c'].map((account, index) => ({
      account,
      ...heldTask(begun, `${account}${index}`),
    }));
    const running = tasks.map(({ account, task }) => slots.run(account, task));
    for (const { end } of tasks) end();
    await Promise.all(running);
    expect(begun).toEqual(['a0', 'a1', 'b3', 'c5', 'a2', 'b4']);
  });

  it('free their place when a task fails, and pass its error on', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.run('a', async () => 'next')).toBe('next');
  });

  it('refuse an account that has too many tasks waiting, but no other account', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 1 });
    const held = heldTask([], 'a');
    const running = [slots.run('a', held.task), slots.run('a', async () => 'a'), slots.run('b', async () => 'b')];
    await expect(slots.run('a', async () => 'too many')).rejects.toMatchObject({ status: 503 });
    held.end();
    expect(await Promise.all(running)).toEqual(['a', 'a', 'b']);
  });

  it('drop a waiting task whose caller has gone', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 5 });
    const begun: string[] = [];
    const held = heldTask(begun, 'held');
    const first = slots.run('a', held.task);
    const controller = new AbortController();
    const gone = slots.run('a', heldTask(begun, 'gone').task, controller.signal);
    controller.abort(new Error('gone away'));
    await expect(gone).rejects.toThrow('gone away');
    held.end();
    await first;
    expect(begun).toEqual(['held']);
    expect(slots.figures()).toEqual({ running: 0, waiting: 0 });
  });

  it('refuse a task that gets no place in time, and do not begin it', async () => {
    const slots = createSlots({ total: 1, perAccount: 1, maxWaiting: 100, patienceMs: 5 });
    const begun: string[] = [];
    const first = heldTask(begun, 'a0');
    const running = slots.run('a', first.task);
    await expect(slots.run('a', heldTask(begun, 'a1').task)).rejects.toThrow('took too long');
    expect(slots.figures()).toEqual({ running: 1, waiting: 0 });
    first.end();
    await running;
    expect(begun).toEqual(['a0']);
  });
});
