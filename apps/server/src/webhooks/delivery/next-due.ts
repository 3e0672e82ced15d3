/**
 * Longest timer in milliseconds. A much longer one would overflow and fire immediately. When it ends, the next check
 * sets a new timer.
 */
const longestMs = 86_400_000;

/** Calls back at the next due time. There is only one timer, for the earliest time. */
export function keepNextDue(onDue: () => void) {
  let at = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return {
    in(ms: number | null) {
      if (ms === null || performance.now() + ms >= at) return;
      at = performance.now() + ms;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          at = Number.POSITIVE_INFINITY;
          onDue();
        },
        Math.min(ms, longestMs),
      );
    },
    stop: () => clearTimeout(timer),
  };
}
