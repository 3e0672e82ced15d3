export type Grace = {
  /** The database could not be reached, or took longer than it may. */
  wasAway(): void;
  isOver(): boolean;
};

/**
 * For whoever takes others for dead that are silent. What kept this node from the database has kept them from it too: they
 * get so long, from when it is back, before their silence counts.
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
