export type Grace = {
  /** Call this if the database could not be reached or did not respond in time. */
  noteOutage(): void;
  isOver(): boolean;
};

/**
 * For code that treats nodes as dead if they do not report to the database. If this node could not reach the database,
 * other nodes probably could not reach it either. So after an outage, they get a grace period before their silence
 * counts.
 */
export function graceAfterOutage(graceMs: number, now = Date.now): Grace {
  let until = Number.NEGATIVE_INFINITY;
  return {
    noteOutage() {
      until = now() + graceMs;
    },
    isOver: () => now() >= until,
  };
}
