// Nobody waits so long where all is well; a machine that has three times as much to do may need it.
const patienceMs = 60_000;

/** Less than the ten seconds for which a caller is remembered: what shows within it was told, and not just forgotten. */
export const toldMs = 8_000;

/** Waits until the condition holds, and says which one did not where it never does. */
export async function waitFor<Value>(
  what: string,
  condition: () => Promise<Value | false | null | undefined> | Value | false | null | undefined,
  timeoutMs = patienceMs,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
