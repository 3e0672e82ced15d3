/** Waits for the work at most this long. The work itself continues. */
export async function withinSeconds(seconds: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
