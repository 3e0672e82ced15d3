import { createKeyedCounter } from '../../concurrency/keyed-counter.ts';

/** Refusals per caller and second that are sent immediately. Clients that follow `Retry-After` need fewer. */
const atOnce = 20;
const heldMs = 1_000;
/** Maximum number of delayed refusals, each of which occupies a connection. Further ones are sent immediately. */
const maxHeld = 1_000;

/**
 * Refusing a request costs almost as much as answering it. A client that retries right after a refusal gets its next
 * refusals late, so that it retries a few times a second on each connection and not hundreds of times.
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
