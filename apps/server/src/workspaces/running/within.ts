/**
 * Waits for the work, but at most this long, and never rejects. A worker that is cut off from the database must not
 * block commands.
 */
export const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, ms).unref())]);
