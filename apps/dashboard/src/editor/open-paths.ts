/** The tabs of a workbench by their paths, as this browser remembers them. Only files that were shown have a text. */

/** Follows the open texts: what was among them and is not any more was closed, and a moved file keeps its place. */
export function pathsAfter(paths: readonly string[], before: readonly string[], now: readonly string[]): string[] {
  const isMove = before.length === now.length;
  const next = paths.flatMap((path) => {
    const index = before.indexOf(path);
    const renamed = isMove ? now[index] : path;
    return index === -1 || (renamed !== undefined && now.includes(renamed)) ? [renamed ?? path] : [];
  });
  return [...new Set([...next, ...now])];
}

const maxPaths = 50;
const prefix = 'bottega-tabs ';

const keyOf = (owner: { userId: string; projectId: string }): string => `${prefix}${owner.userId} ${owner.projectId}`;

/** Storage may be full or switched off. Then a reload shows fewer tabs. */
export function readPaths(owner: Parameters<typeof keyOf>[0]): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

export function keepPaths(owner: Parameters<typeof keyOf>[0], paths: readonly string[]): void {
  try {
    if (paths.length === 0) localStorage.removeItem(keyOf(owner));
    else localStorage.setItem(keyOf(owner), JSON.stringify(paths.slice(-maxPaths)));
  } catch {
    // The tabs of this page stay as they are.
  }
}

export function dropAllPaths(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
