/**
 * Handles reports one after the other. If several arrive while one is being handled, only the latest of them is kept,
 * because only that one matters, and an agent may send any number.
 */
export function createLatest<Report extends object>(handle: (report: Report) => Promise<void>) {
  let waiting: Report | null = null;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    for (let next = take(); next; next = take()) await handle(next);
  }

  function take(): Report | null {
    const next = waiting;
    waiting = null;
    return next;
  }

  return {
    add(report: Report): void {
      waiting = report;
      running ??= run().finally(() => {
        running = null;
      });
    },
    /** Whether another report waits while one is being handled. */
    hasNewer: () => waiting !== null,
    isBusy: () => running !== null,
    /** Resolves once the latest report is handled. */
    async settled(): Promise<void> {
      while (running) await running;
    },
  };
}
