import type { Logger } from 'pino';

export type Refusals = { note(name: string): void };

const everyMs = 60_000;

/** Anybody can ask for any name: one line a minute says that it happens, with one of the names and how many there were. */
export function createRefusals(log: Logger, now = Date.now): Refusals {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    note(name) {
      untold++;
      if (now() - toldAt < everyMs) return;
      log.warn(
        { source: 'tls', name, refused: untold },
        'a TLS handshake was refused: there is no certificate for its name',
      );
      toldAt = now();
      untold = 0;
    },
  };
}
