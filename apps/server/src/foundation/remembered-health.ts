import type { PartHealth } from './slice.ts';

const lookEveryMs = 1_000;

/**
 * Of a part whose state is in the database. What was known is told at once: a database that is away must not hold up whoever
 * asks whether the node is ready, and anybody may ask as often as they like.
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
