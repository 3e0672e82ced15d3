/** Beyond this a timer would be over at once; whoever looks then sets the next one. */
const longestMs = 86_400_000;

/** Calls when the next of what is known to come is due: one timer, for the soonest. */
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
