/** Processor time of the work, in milliseconds. Unlike clock time, it hardly depends on other work of the machine. */
export function cpuMsOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Like `cpuMsOf`, for a request to a service in this process. Includes all other work of the process meanwhile. */
export async function cpuMsUntil(work: Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work;
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
