import type { PartHealth } from './slice.ts';

const lookEveryMs = 1_000;

/**
 * For a part whose state is in the database. Returns the last known state immediately: an unavailable database must not
 * hold up a readiness check, and anyone may ask as often as they like.
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
