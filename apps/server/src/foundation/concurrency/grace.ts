export type Grace = {
  /** Call this if the database could not be reached or did not respond in time. */
  noteOutage(): void;
  isOver(): boolean;
};

/**
 * For code that treats silent nodes as dead. What kept this node from the database has kept the others from it too. So
 * they get a grace period after it is back before their silence counts.
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
