import { type FSWatcher, watch } from 'node:fs';

export type Watching = {
  /** Watches exactly these directories. */
  follow(directories: readonly string[]): void;
  close(): void;
};

const debounceMs = 100;

/**
 * Reports that something may have changed in one of the directories, after a short quiet time, because editors write,
 * rename and remove files when they save. Each directory is watched separately, so that ignored ones cost nothing.
 */
export function watchDirectories(onChange: () => void, onFailure: (error: Error) => void): Watching {
  const watchers = new Map<string, FSWatcher>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wake = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, debounceMs);
  };

  function add(directory: string): void {
    try {
      const watcher = watch(directory, wake);
      // An error means that the directory is gone, which its parent reports too.
      watcher.on('error', wake);
      watchers.set(directory, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onFailure(error as Error);
    }
  }

  return {
    follow(directories) {
      const wanted = new Set(directories);
      for (const [directory, watcher] of watchers) {
        if (wanted.has(directory)) continue;
        watcher.close();
        watchers.delete(directory);
      }
      for (const directory of wanted) if (!watchers.has(directory)) add(directory);
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
