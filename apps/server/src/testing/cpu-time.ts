/** Milliseconds of the processor that the work takes. What else the machine does hardly changes them, unlike those of the clock. */
export function cpuMsOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
