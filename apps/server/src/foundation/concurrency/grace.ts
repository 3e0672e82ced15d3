export type Grace = {
  /** Call this if the database could not be reached or did not respond in time. */
  wasAway(): void;
  isOver(): boolean;
};

/**
 * For code that treats silent nodes as dead. What kept this node from the database has kept the others from it too. So
 * they get a grace period after it is back before their silence counts.
 */
export function graceAfterAbsence(graceMs: number, now = Date.now): Grace {
  let until = Number.NEGATIVE_INFINITY;
  return {
    wasAway() {
      until = now() + graceMs;
    },
    isOver: () => now() >= until,
  };
}
