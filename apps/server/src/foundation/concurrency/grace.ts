export type Grace = {
  /** Call this if the database could not be reached or did not respond in time. */
  noteOutage(): void;
  isOver(): boolean;
};

/**
 * For code that treats silent nodes as dead. If this node could not reach the database, the others could not reach it
 * either. So after an outage, they get a grace period before their silence counts.
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
