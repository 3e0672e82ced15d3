/** So many bad frames at once, and one more a second, are taken for mistakes. */
const mostBad = 20;

/** A bucket that refills evenly. */
function bucket(size: number, perSecond: number, now: () => number) {
  let level = size;
  let filledAt = now();
  return {
    /** What is left after it; below nothing there are that many too many. */
    take(): number {
      const at = now();
      level = Math.min(size, level + ((at - filledAt) * perSecond) / 1000);
      filledAt = at;
      level -= 1;
      return level;
    },
  };
}

export type FrameBudget = {
  /** Milliseconds to wait before the next frame is read. */
  frame(): number;
  /** False: there were too many. */
  badFrame(): boolean;
};

/** How much one socket may ask of the node. Frames beyond it wait in the connection, so that nobody else does. */
export function frameBudget(framesPerSecond: number, now: () => number = () => performance.now()): FrameBudget {
  const frames = bucket(framesPerSecond * 2, framesPerSecond, now);
  const bad = bucket(mostBad, 1, now);
  return {
    frame() {
      const left = frames.take();
      return left >= 0 ? 0 : Math.ceil((-left * 1000) / framesPerSecond);
    },
    badFrame: () => bad.take() >= 0,
  };
}
