import { useCallback, useState } from 'react';
import { directoriesAbove } from './file-tree.ts';

/** Opens the folders above the shown file and above a sought one once. The user can close them again. */
export function useOpenFolders(current: string | undefined, sought: string | undefined) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([current, sought].flatMap((path) => directoriesAbove(path ?? ''))),
  );
  const [seen, setSeen] = useState({ current, sought });
  if (seen.current !== current || seen.sought !== sought) {
    setSeen({ current, sought });
    const fresh = [seen.current === current ? undefined : current, seen.sought === sought ? undefined : sought];
    const above = fresh.flatMap((path) => directoriesAbove(path ?? ''));
    if (!above.every((path) => opened.has(path))) setOpened(opened.union(new Set(above)));
  }
  const toggle = useCallback((path: string) => setOpened((now) => now.symmetricDifference(new Set([path]))), []);
  return { opened, toggle };
}
