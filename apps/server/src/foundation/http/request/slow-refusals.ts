import { createKeyedCounter } from '../../concurrency/keyed-counter.ts';

/**
 * Number of refusals per caller and second that are sent without delay. Clients that follow `Retry-After` get fewer.
 */
const atOnce = 20;
const heldMs = 1_000;
/** Maximum number of delayed refusals, each of which occupies a connection. Further ones are sent without delay. */
const maxHeld = 1_000;

/**
 * Refusing a request costs almost as much as answering it. So if a client retries immediately again and again, its
 * refusals are delayed. It can then retry only a few times per second on each connection instead of hundreds of times.
 */
export function createSlowRefusals(): { refuse(caller: string, answer: () => void): void } {
  const recent = createKeyedCounter();
  let held = 0;
  return {
    refuse(caller, answer) {
      if (held >= maxHeld) return answer();
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
      // The delays differ, so that clients that were refused together do not retry together.
      setTimeout(forget, heldMs * (0.5 + Math.random())).unref();
    },
  };
}
