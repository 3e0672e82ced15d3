/** Milliseconds of the processor that the work takes. What else the machine does hardly changes them, unlike those of the clock. */
export function cpuMsOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** The same of a request to a service in this process, together with whatever else the process does meanwhile. */
export async function cpuMsUntil(work: Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work;
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
