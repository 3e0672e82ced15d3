/** Waits until the condition holds, and says which one did not where it never does. */
export async function waitFor<Value>(
  what: string,
  condition: () => Promise<Value | false | null | undefined> | Value | false | null | undefined,
  timeoutMs = 15_000,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
