/**
 * The id of this page, until it is reloaded or left. A duplicated tab would inherit anything in the browser's storage.
 */
export const windowId = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** A page that was just left may hold its lock for a moment. */
const patienceMs = 500;

/** Browsers have locks on https and on localhost. */
const locks = (): LockManager | undefined => navigator.locks;
const lockOf = (id: string) => `bottega-window-${id}`;

let isHeld = false;

/** The browser releases the lock when the page is gone, however it ends. */
export function holdWindow(): void {
  if (isHeld) return;
  isHeld = true;
  void locks()?.request(lockOf(windowId), () => new Promise(() => undefined));
}

/** Without locks nobody can tell: then a draft is shown in both windows, and neither loses it. */
export async function isGone(id: string): Promise<boolean> {
  const manager = locks();
  if (!manager || id === windowId) return true;
  return manager.request(lockOf(id), { signal: AbortSignal.timeout(patienceMs) }, () => true).catch(() => false);
}
