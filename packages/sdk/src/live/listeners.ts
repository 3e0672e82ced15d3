/** The events, by name. */
export type Listening<Events> = {
  /** Returns a function that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void;
};

export type Listeners<Events> = Listening<Events> & {
  tell<Name extends keyof Events>(name: Name, event: Events[Name]): void;
};

export function createListeners<Events>(): Listeners<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    on(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => own.delete(listener);
    },
    tell(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(event as never);
    },
  };
}
