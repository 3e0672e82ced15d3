import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { nothingKept } from './ignoring.ts';
import { isSafePath } from './paths.ts';
import { type Scan, scan } from './scan.ts';

/**
 * Interval at which the event loop gets a turn, in milliseconds, so that Ctrl-C works however many paths a service
 * sends.
 */
const yieldMs = 20;

/** The paths from the service that are allowed as files here. */
export async function syncablePaths(paths: Iterable<string>, known: Scan | undefined): Promise<string[]> {
  const syncable: string[] = [];
  let since = performance.now();
  for (const path of paths) {
    if (isSafePath(path) && !known?.isIgnored(path)) syncable.push(path);
    if (performance.now() - since < yieldMs) continue;
    await yieldToLoop();
    since = performance.now();
  }
  return syncable;
}

/** Scans the folder. Paths that were ignored in an earlier scan stay ignored. */
export function createScanning(root: string, note: (text: string) => void): () => Promise<Scan> {
  const [kept, told] = [nothingKept(), new Set<string>()];
  return async () => {
    const scanned = await scan(root, kept);
    for (const path of scanned.held) {
      if (told.has(path)) continue;
      told.add(path);
      note(`${path} is skipped: an ignore file excluded it earlier. Restart the command to send it.`);
    }
    return scanned;
  };
}
