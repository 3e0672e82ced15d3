import type { Logger } from 'pino';

export type Refusals = { note(name: string): void };

const everyMs = 60_000;

/**
 * Logs refused names. Anybody can request any name, so the log gets at most one line per minute, with one of the names
 * and the number of all.
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
