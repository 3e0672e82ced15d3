import { createKeyedCounter } from '../../concurrency/keyed-counter.ts';

/** Refusals of one caller within about a second that go out at once; whoever heeds `Retry-After` gets no further. */
const atOnce = 20;
const heldMs = 1_000;
/** Each holds a connection and little else. Those above it go out at once, so that held answers never pile up. */
const mostHeld = 1_000;

/**
 * To refuse a request costs almost as much as to answer it. A client that asks again as soon as it is refused gets its
 * next refusals late, so that it asks a few times a second on each connection and not hundreds of times.
 */
export function createSlowRefusals(): { refuse(caller: string, answer: () => void): void } {
  const recent = createKeyedCounter();
  let held = 0;
  return {
    refuse(caller, answer) {
      if (held >= mostHeld) return answer();
      recent.add(caller);
      const isHeld = recent.of(caller) > atOnce;
      if (isHeld) held++;
      else answer();
      const forget = () => {
        recent.remove(caller);
        if (!isHeld) return;
        held--;
        answer();
      };
      // Not all after the same time: those who were refused together must not come back together.
      setTimeout(forget, heldMs * (0.5 + Math.random())).unref();
    },
  };
}
