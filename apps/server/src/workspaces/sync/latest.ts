/**
 * Handles one report after the other. If further ones arrive meanwhile, only the latest matters, and only it is kept:
 * an agent may send any number of them.
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
    /** Whether another report waits while one is handled. */
    hasNewer: () => waiting !== null,
    isBusy: () => running !== null,
    /** Resolves once the latest report is handled. */
    async settled(): Promise<void> {
      while (running) await running;
    },
  };
}
