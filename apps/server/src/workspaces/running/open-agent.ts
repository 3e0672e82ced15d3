import type { Running } from '../../deployments/index.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';

/** The agent of a sandbox, until one of them ends. */
export function openAgent(running: Running, signal: AbortSignal) {
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    void running.stop(0);
  };
  const agent = createChannels(running.channel as never, { rests: true, onError: end });
  void running.ended.then(() => ended.abort());
  // A worker that stops does not wait for a start, which might not end.
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return {
    open: (request: Record<string, unknown>): Channel => agent.open(request),
    ended: ended.signal,
    over: AbortSignal.any([signal, ended.signal]),
    /** From now on, whoever aborts the signal waits until the files are stored. */
    hasStarted: () => signal.removeEventListener('abort', end),
  };
}
