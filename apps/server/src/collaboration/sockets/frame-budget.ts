/** Number of bad frames that are tolerated in a burst; one more is tolerated every second. */
const maxBadFrames = 20;
/** A longer frame takes longer to handle, and counts as several. */
const bytesOfFrame = 4096;

/** A token bucket. */
function bucket(size: number, perSecond: number, now: () => number) {
  let level = size;
  let filledAt = now();
  return {
    /** Returns the number of tokens that are left. A negative number is the excess. */
    take(cost = 1): number {
      const at = now();
      level = Math.min(size, level + ((at - filledAt) * perSecond) / 1000);
      filledAt = at;
      level -= cost;
      return level;
    },
  };
}

export type FrameBudget = {
  /** Milliseconds to wait before reading the next frame. Long frames count as several. */
  frame(bytes: number): number;
  /** Milliseconds to wait before sending a long response, which costs as much as a long frame. */
  answer(bytes: number): number;
  /** False if there were too many bad frames. */
  badFrame(): boolean;
};

/**
 * Limits the work that one socket causes. Frames beyond the limit wait in the connection, so that other sockets do not
 * have to wait.
 */
export function frameBudget(framesPerSecond: number, now: () => number = () => performance.now()): FrameBudget {
  const frames = bucket(framesPerSecond * 2, framesPerSecond, now);
  const bad = bucket(maxBadFrames, 1, now);
  const waitAfter = (cost: number): number => {
    const left = frames.take(cost);
    return left >= 0 ? 0 : Math.ceil((-left * 1000) / framesPerSecond);
  };
  return {
    frame: (bytes) => waitAfter(Math.max(1, bytes / bytesOfFrame)),
    answer: (bytes) => waitAfter(bytes / bytesOfFrame),
    badFrame: () => bad.take() >= 0,
  };
}
