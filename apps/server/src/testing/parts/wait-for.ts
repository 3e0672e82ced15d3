// A successful wait takes this long only on a machine that is overloaded three times.
const patienceMs = 60_000;

/**
 * Less than the ten seconds for which a caller is cached. If a change takes effect within this time, it was announced,
 * and the cache did not just expire.
 */
export const toldMs = 8_000;

/** Waits until the condition holds, or fails with its name. */
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
