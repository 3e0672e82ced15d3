import { Gauge } from 'prom-client';
import type { PartHealth } from '../slice.ts';
import type { Siblings } from './siblings.ts';

/**
 * Silence of a process that counts as unhealthy, in milliseconds. Requests to the silent process have waited as long.
 */
const longMs = 5_000;

/**
 * Checks that the event loops of all processes run. The primary measures the silence, because a blocked process cannot
 * report anything.
 */
export async function loopHealth({ longestSilence }: Pick<Siblings, 'longestSilence'>): Promise<PartHealth> {
  const ms = await longestSilence();
  const seconds = Math.round(ms / 1000);
  const problem = `A process of the service has not responded for ${seconds} seconds: its event loop is blocked`;
  return { problem: ms > longMs ? problem : null, silent_ms: Math.round(ms) };
}

export const silenceGauge = ({ longestSilence }: Pick<Siblings, 'longestSilence'>) =>
  new Gauge({
    name: 'bottega_process_silence_seconds',
    help: 'Longest time for which a process has not responded because its event loop is blocked',
    registers: [],
    aggregator: 'max',
    async collect() {
      this.set((await longestSilence()) / 1000);
    },
  });
