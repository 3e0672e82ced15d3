import type { Logger } from 'pino';

export type Refusals = { note(name: string): void };

const everyMs = 60_000;

/**
 * Anybody can request any name. So the log gets at most one line per minute, with one of the names and their number.
 */
export function createRefusals(log: Logger, now = Date.now): Refusals {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    note(name) {
      untold++;
      if (now() - toldAt < everyMs) return;
      log.warn(
        { source: 'tls', name, refused: untold },
        'refused a TLS handshake because there is no certificate for the requested name',
      );
      toldAt = now();
      untold = 0;
    },
  };
}
