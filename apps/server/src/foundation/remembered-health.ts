import type { PartHealth } from './slice.ts';

const lookEveryMs = 1_000;

/**
 * Caches the health of a part whose state is in the database. The returned function gives the last known state
 * immediately, because an unavailable database must not delay a readiness check, and because anyone may request
 * readiness checks as often as they like.
 */
export function rememberHealth<Health extends PartHealth>(
  first: Health,
  describe: () => Promise<Health>,
): (isPatient?: boolean) => Promise<Health> {
  let known = first;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    lookedAt = Date.now();
    known = await describe();
  };
  return async (isPatient) => {
    if (isPatient) await look().catch(() => undefined);
    else if (Date.now() - lookedAt > lookEveryMs) void look().catch(() => undefined);
    return known;
  };
}
