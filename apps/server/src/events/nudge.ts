type Listener = (types: readonly string[]) => void;
const listeners = new Set<Listener>();

/** Calls back after every commit in this process that appended events, so that nobody has to wait for a poll. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function eventsCommitted(types: readonly string[]): void {
  for (const listener of listeners) listener(types);
}
