/** Waits for work, but not for ever: a worker that is cut off from the database must not block commands. */
export const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, ms).unref())]);
