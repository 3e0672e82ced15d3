import { setImmediate as breathe } from 'node:timers/promises';
import { nothingKept } from './ignoring.ts';
import { isSafePath } from './paths.ts';
import { type Scan, scan } from './scan.ts';

/** Ctrl-C is heard meanwhile, however many paths a service names. */
const breathMs = 20;

/** Of the paths that a service names, those that may be files here. */
export async function pathsMeant(paths: Iterable<string>, known: Scan | undefined): Promise<string[]> {
  const meant: string[] = [];
  let since = performance.now();
  for (const path of paths) {
    if (isSafePath(path) && !known?.isIgnored(path)) meant.push(path);
    if (performance.now() - since < breathMs) continue;
    await breathe();
    since = performance.now();
  }
  return meant;
}

/** Looks at the folder; what was ignored when it was looked at before stays so. */
export function createScanning(root: string, note: (text: string) => void): () => Promise<Scan> {
  const [kept, told] = [nothingKept(), new Set<string>()];
  return async () => {
    const found = await scan(root, kept);
    for (const path of found.held) {
      if (told.has(path)) continue;
      told.add(path);
      note(`${path} is skipped: an ignore file named it before. Restart the command to send it.`);
    }
    return found;
  };
}
