import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSaveState } from './save-state.ts';

const limits = { pauseMs: 2_000, intervalMs: 10_000 };
const base = { sha: Buffer.alloc(20), content: '' };
const at = (seconds: number) => vi.setSystemTime(seconds * 1000);
const isDue = (saves: ReturnType<typeof createSaveState>) => saves.isDue(Date.now(), limits);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const by = (userId: string) => ({ userId, requestId: 'req_1' });

describe('a text that is', () => {
  test('saved is not due for saving, and becomes unsaved with its first change', () => {
    const saves = createSaveState({ base, authors: [], isSaved: true });
    at(60);
    expect([saves.name, isDue(saves)]).toEqual(['saved', false]);
    saves.changed(by('ada'));
    expect([saves.name, [...saves.authors.keys()]]).toEqual(['unsaved', ['ada']]);
  });

  test('unsaved is due for saving when typing pauses, or after a while if typing does not pause (L16)', () => {
    const saves = createSaveState({ base, authors: [], isSaved: true });
    at(100);
    saves.changed(by('ada'));
    at(101.9);
    expect(isDue(saves)).toBe(false);
    at(102);
    expect(isDue(saves)).toBe(true);
    for (let second = 101; second < 110; second++) {
      at(second);
      saves.changed(by('ada'));
      expect(isDue(saves)).toBe(false);
    }
    at(110);
    saves.changed(by('ada'));
    expect(isDue(saves)).toBe(true);
  });

  test('changed during a save counts as unsaved from the end of that save', () => {
    const saves = createSaveState({ base, authors: ['ada'], isSaved: false });
    at(9);
    saves.changed(by('ada'));
    saves.changedDuringSave();
    at(10.5);
    saves.changed(by('ada'));
    expect(isDue(saves)).toBe(false);
    at(12.5);
    expect(isDue(saves)).toBe(true);
  });

  test('refused is not saved again until it changes (L17)', () => {
    const saves = createSaveState({ base, authors: ['ada'], isSaved: false });
    saves.refused(saves.lastChangeAt);
    at(60);
    expect([saves.name, isDue(saves)]).toEqual(['refused', false]);
    saves.changed(by('ada'));
    expect([saves.name, isDue(saves)]).toEqual(['unsaved', true]);
    at(61);
    saves.changed(by('ada'));
    saves.refused(60_000);
    expect(saves.name).toBe('unsaved');
  });
});
