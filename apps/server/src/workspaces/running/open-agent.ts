import type { Running } from '../../deployments/index.ts';
import { type Channel, createChannels } from '../agent/channels.mjs';

/** Opens the agent of a sandbox. If the agent ends, the sandbox is stopped. */
export function openAgent(running: Running, signal: AbortSignal) {
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    void running.stop(0);
  };
  const agent = createChannels(running.channel as never, { rests: true, onError: end });
  void running.ended.then(() => ended.abort());
  // A worker that stops does not wait for a workspace to start, because that might never end.
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return {
    open: (request: Record<string, unknown>): Channel => agent.open(request),
    ended: ended.signal,
    over: AbortSignal.any([signal, ended.signal]),
    /** From now on, the aborted signal no longer stops the sandbox at once, so that its files can be stored first. */
    hasStarted: () => signal.removeEventListener('abort', end),
  };
}
