import { type Channel, type Message, type Siblings, siblingsBy } from '../../foundation/cluster/siblings.ts';
import { createSwitchboard } from '../../foundation/cluster/switchboard.ts';
import { limiterOfAll, limitsTopic } from '../../foundation/rate-limits/shared-rate-limiter.ts';

/** Simulates processes of one machine that share a primary. All messages are such as could be sent through a pipe. */
export function family(count: number): Siblings[] {
  const switchboard = createSwitchboard({ [limitsTopic]: limiterOfAll() });
  return Array.from({ length: count }, () => {
    const [here, there] = pipe();
    switchboard.connect(there);
    return siblingsBy(here);
  });
}

function pipe(): [Channel, Channel] {
  const ends = [new Set<(message: Message) => void>(), new Set<(message: Message) => void>()] as const;
  const end = (own: 0 | 1, other: 0 | 1): Channel => ({
    send: (message) =>
      setImmediate(() => {
        for (const listener of ends[other]) listener(JSON.parse(JSON.stringify(message)));
      }),
    onMessage: (listener) => void ends[own].add(listener),
  });
  return [end(0, 1), end(1, 0)];
}
