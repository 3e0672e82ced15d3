import { Gauge } from 'prom-client';
import type { PartHealth } from '../slice.ts';
import type { Siblings } from './siblings.ts';

/** Everybody who needs that process waits for so long already. */
const longMs = 5_000;

/** Whether the event loops of all processes turn. A process whose loop is blocked cannot tell so itself: the primary does. */
export async function loopHealth({ longestSilence }: Pick<Siblings, 'longestSilence'>): Promise<PartHealth> {
  const ms = await longestSilence();
  const seconds = Math.round(ms / 1000);
  const problem = `A process of the service has not answered for ${seconds} seconds: something blocks its event loop`;
  return { problem: ms > longMs ? problem : null, silent_ms: Math.round(ms) };
}

export const silenceGauge = ({ longestSilence }: Pick<Siblings, 'longestSilence'>) =>
  new Gauge({
    name: 'bottega_process_silence_seconds',
    help: 'For how long the process that was silent for the longest time has been so: its event loop is blocked',
    registers: [],
    aggregator: 'max',
    async collect() {
      this.set((await longestSilence()) / 1000);
    },
  });
