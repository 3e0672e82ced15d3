/** Waits for the work for at most this long. After that, the work continues in the background. */
export async function withinSeconds(seconds: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
