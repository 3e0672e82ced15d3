/**
 * The id of this page until it is reloaded or left. It is not in the browser's storage, because a duplicated tab would
 * inherit it.
 */
export const windowId = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Time to wait for a lock, in milliseconds, because a page that was just left may hold its lock for a moment. */
const patienceMs = 500;

/** Browsers support locks only on https and on localhost. */
const locks = (): LockManager | undefined => navigator.locks;
const lockOf = (id: string) => `bottega-window-${id}`;

let isHeld = false;

/** Holds a lock for this window. However the page ends, the browser then releases the lock. */
export function holdWindow(): void {
  if (isHeld) return;
  isHeld = true;
  void locks()?.request(lockOf(windowId), () => new Promise(() => undefined));
}

/**
 * Whether the window with this id is closed. Without locks, this is unknown. A draft is then shown in both windows, and
 * neither loses it.
 */
export async function isGone(id: string): Promise<boolean> {
  const manager = locks();
  if (!manager || id === windowId) return true;
  return manager.request(lockOf(id), { signal: AbortSignal.timeout(patienceMs) }, () => true).catch(() => false);
}
