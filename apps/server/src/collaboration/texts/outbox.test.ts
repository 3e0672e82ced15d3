import { describe, expect, test } from 'vitest';
import { createOutbox } from './outbox.ts';

const update = (byte: number) => Uint8Array.of(byte);
const base = (content: string) => ({ sha: Buffer.from(content), content });

describe('the outbox of a live text', () => {
  test('is first stored, then pending, then writing, and finally stored again', () => {
    const outbox = createOutbox();
    expect(outbox.state).toBe('stored');
    outbox.addUpdate(update(1));
    expect(outbox.state).toBe('pending');
    expect(outbox.take().updates).toEqual([update(1)]);
    expect(outbox.state).toBe('writing');
    outbox.committed();
    expect(outbox.state).toBe('stored');
  });

  test('keeps updates that arrive while a batch is written for the next batch', () => {
    const outbox = createOutbox();
    outbox.addUpdate(update(1));
    outbox.take();
    outbox.addUpdate(update(2));
    expect(outbox.pendingBytes).toBe(1);
    outbox.committed();
    expect(outbox.state).toBe('pending');
    expect(outbox.take().updates).toEqual([update(2)]);
  });

  test('puts a failed batch before later updates, and the newer base last', () => {
    const outbox = createOutbox();
    outbox.addUpdate(update(1));
    outbox.addBase(base('old'));
    outbox.take();
    outbox.addUpdate(update(2));
    outbox.addBase(base('new'));
    outbox.failed();
    expect(outbox.hasPendingBase()).toBe(true);
    expect(outbox.pendingBytes).toBe(2);
    expect(outbox.take()).toMatchObject({ updates: [update(1), update(2)], base: { content: 'new' } });
  });

  test('reports durability once everything that was there at the time of the question is committed, not before (L7)', () => {
    const outbox = createOutbox();
    const told: string[] = [];
    outbox.whenStored(() => told.push('nothing to wait for'));
    outbox.addUpdate(update(1));
    outbox.whenStored(() => told.push('first'));
    outbox.take();
    outbox.whenStored(() => told.push('also first'));
    outbox.addUpdate(update(2));
    outbox.whenStored(() => told.push('second'));
    outbox.failed();
    expect(told).toEqual(['nothing to wait for']);
    outbox.take();
    outbox.addUpdate(update(3));
    outbox.whenStored(() => told.push('third'));
    outbox.committed();
    expect(told).toEqual(['nothing to wait for', 'first', 'also first', 'second']);
    outbox.take();
    outbox.committed();
    expect(told.at(-1)).toBe('third');
  });

  test('hands out one batch at a time', () => {
    const outbox = createOutbox();
    outbox.take();
    expect(() => outbox.take()).toThrow('two batches');
    outbox.committed();
    expect(() => outbox.committed()).toThrow('no batch');
  });
});
