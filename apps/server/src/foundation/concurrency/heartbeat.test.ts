import { expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { startHeartbeat } from './heartbeat.ts';

test('beats go on after a beat that failed, and the failure is reported', async () => {
  const errors: unknown[] = [];
  let beats = 0;
  const beat = async () => {
    if (++beats === 1) throw new Error('away');
  };
  const heartbeat = startHeartbeat({ everyMs: 5, beat, onError: (error) => errors.push(error) });
  await waitFor('three beats', () => beats >= 3);
  await heartbeat.stop();
  expect(errors).toEqual([new Error('away')]);
});

test('while a beat hangs, no others pile up; stopping waits for it, and no further beat follows', async () => {
  const hanging = Promise.withResolvers<void>();
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  let beats = 0;
  const beat = () => {
    beats++;
    return hanging.promise;
  };
  const heartbeat = startHeartbeat({ everyMs: 5, beat, onError: () => undefined });
  await waitFor('the time of some beats', () => ticks > 5);
  clearInterval(ticking);
  let stopped = false;
  const stop = heartbeat.stop().then(() => {
    stopped = true;
  });
  await new Promise(setImmediate);
  expect({ beats, stopped }).toEqual({ beats: 1, stopped: false });
  hanging.resolve();
  await stop;
  expect(beats).toBe(1);
});

test('a beat that is requested begins after the request', async () => {
  const ends: (() => void)[] = [];
  const beat = () => new Promise<void>((end) => ends.push(end));
  const heartbeat = startHeartbeat({ everyMs: 60_000, beat, onError: () => undefined });
  const first = heartbeat.beatNow();
  const second = heartbeat.beatNow();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await waitFor('the second beat', () => ends.length === 2);
  ends[1]?.();
  await second;
  await heartbeat.stop();
});
