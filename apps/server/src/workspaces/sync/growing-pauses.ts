import { setTimeout as rest } from 'node:timers/promises';

const firstPauseMs = 100;
const maxPauseMs = 5_000;
const quietMs = 10_000;

/** Pauses between repetitions of some work. They grow while it is repeated, and are short again after a quiet time. */
export function createPauses() {
  let pauseMs = 0;
  let lastAt = 0;
  return {
    isDue: () => Date.now() - lastAt >= pauseMs,
    async untilDue(): Promise<void> {
      const ms = lastAt + pauseMs - Date.now();
      if (ms > 0) await rest(ms, undefined, { ref: false });
    },
    note(): void {
      const isAfterQuiet = Date.now() - lastAt > quietMs;
      pauseMs = isAfterQuiet ? firstPauseMs : Math.min(maxPauseMs, Math.max(firstPauseMs, pauseMs * 1.5));
      lastAt = Date.now();
    },
  };
}
