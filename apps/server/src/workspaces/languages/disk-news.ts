import { uriOf } from './documents.ts';

export type DiskChange = { path: string; isGone: boolean };
type Change = { uri: string; type: number };

const types = { created: 1, changed: 2, deleted: 3 } as const;
const pauseMs = 50;
const mostChanges = 5_000;
/** The most paths that are remembered in addition to those of the workspace. The agent may name any number. */
const mostOthers = 50_000;

/** Collects changes on the disk for a language server, which does not watch files itself. */
export function createDiskNews(paths: () => Iterable<string>, send: (changes: Change[]) => Promise<void>) {
  let known = new Set<string>();
  let mostKnown = -1;
  const waiting = new Map<string, Change>();
  let timer: NodeJS.Timeout | null = null;

  function note(path: string, type: number): void {
    // Further changes are dropped. The server looks at all files again when a directory changes.
    if (waiting.size < mostChanges) waiting.set(path, { uri: uriOf(path), type });
    timer ??= setTimeout(() => void flush(), pauseMs).unref();
  }

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const changes = [...waiting.values()];
    waiting.clear();
    if (changes.length > 0) await send(changes);
  }

  return {
    /** Resolves once the server was told of all changes that were added before this call. */
    flush,
    add({ path, isGone }: DiskChange): void {
      if (known.size > mostKnown) {
        known = new Set(paths());
        mostKnown = known.size + mostOthers;
      }
      const before = known.has(path);
      if (isGone) known.delete(path);
      else known.add(path);
      note(path, isGone ? types.deleted : before ? types.changed : types.created);
    },
    installed: (directories: readonly string[]) => {
      for (const directory of directories) note(`/${directory}`, types.created);
    },
  };
}
