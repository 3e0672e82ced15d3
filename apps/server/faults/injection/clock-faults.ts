import { globSync } from 'node:fs';
import type { Fault } from './fault.ts';

/** Debian's package `faketime`. It changes the time that a process sees; timers are not affected. */
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

const wrong = (offset: string): Fault['inject'] => {
  return async ({ cluster, random }) => {
    const node = random.oneOf([...cluster.nodes, ...cluster.workers]);
    await node.stop('SIGTERM');
    const clock = { LD_PRELOAD: library ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    await node.start(clock);
    return async () => {
      await node.stop('SIGTERM');
      await node.start();
    };
  };
};

/** Empty if the library is not installed. */
export const clockFaults: Fault[] = library
  ? [
      { name: 'clock-ahead', seconds: 20, inject: wrong('+3600') },
      { name: 'clock-behind', seconds: 20, inject: wrong('-3600') },
    ]
  : [];
