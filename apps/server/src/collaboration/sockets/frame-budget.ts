/** So many bad frames at once, and one more a second, are taken for mistakes. */
const mostBad = 20;
/** A longer frame takes longer to handle, and counts as several. */
const bytesOfFrame = 4096;

/** A bucket that refills evenly. */
function bucket(size: number, perSecond: number, now: () => number) {
  let level = size;
  let filledAt = now();
  return {
    /** What is left after it; below nothing there are that many too many. */
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
  /** Milliseconds to wait before the next frame is read. Long ones count as several. */
  frame(bytes: number): number;
  /** The same, before a long answer is made: it costs as much as a long frame. */
  answer(bytes: number): number;
  /** False: there were too many. */
  badFrame(): boolean;
};

/** How much one socket may ask of the node. Frames beyond it wait in the connection, so that nobody else does. */
export function frameBudget(framesPerSecond: number, now: () => number = () => performance.now()): FrameBudget {
  const frames = bucket(framesPerSecond * 2, framesPerSecond, now);
  const bad = bucket(mostBad, 1, now);
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
