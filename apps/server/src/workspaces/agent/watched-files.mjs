// @ts-check
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { entriesOf, lstatOf } from './disk-files.mjs';
import { watchGit } from './git-state.mjs';
import { createIgnored } from './ignored.mjs';

/** Changes are reported after this pause, so that a file that a program writes in pieces is reported once. */
const quietMs = 20;
const latestMs = 200;
const maxDirectories = 20_000;

/**
 * Watches the files that git would track, with one watcher for each directory. Changes are held back while git is at
 * work, and while `mayReport` returns false.
 * @param {string} root
 * @param {{ isKnown(path: string): boolean, knownBelow(path: string): string[], mayReport(): boolean,
 *   changed(path: string): void, settled(): void }} hooks
 */
export function createWatchedFiles(root, { isKnown, knownBelow, mayReport, changed, settled }) {
  const ignored = createIgnored(root);
  const watchers = createWatchers(root, (path) => touch(path));
  const git = watchGit(root, () => plan());
  /** @type {Set<string>} */
  const dirty = new Set();
  const timer = createTimer(() => report());
  let firstAt = 0;
  let hasBegun = false;

  /** @param {string} path */
  function touch(path) {
    if (path === '' || path.startsWith('.bottega-')) return;
    if (path === '.git') git.again();
    if (dirty.size === 0) firstAt = Date.now();
    plan(dirty.add(path).size);
  }

  function plan(count = dirty.size) {
    const rest = count === 0 ? quietMs : Math.max(0, firstAt + latestMs - Date.now());
    timer.start(Math.min(quietMs, rest));
  }

  /** Watches a directory and all directories below it. @param {string} directory */
  function follow(directory) {
    if (!watchers.add(directory)) return;
    // Entries are listed after the watcher exists, so that none is missed: later ones are reported by the watcher.
    for (const entry of entriesOf(join(root, directory))) {
      const path = join(directory, entry.name);
      if (!entry.isDirectory()) hasBegun || !isKnown(path) ? touch(path) : undefined;
      else if (!ignored.has(path, true)) follow(path);
    }
  }

  function report() {
    timer.stop();
    if (git.isAtWork()) return timer.start(quietMs);
    if (!mayReport()) return;
    // A loop, because a new directory adds its entries.
    while (dirty.size > 0) {
      for (const path of [...dirty].sort()) {
        dirty.delete(path);
        if (path === '.gitignore' || path.endsWith('/.gitignore')) rulesChanged(path);
        look(path);
      }
    }
    settled();
  }

  /**
   * Looks at a directory again after its rules have changed, because files may no longer be ignored.
   * @param {string} path
   */
  function rulesChanged(path) {
    const directory = path === '.gitignore' ? '' : dirname(path);
    if (!ignored.reread(directory)) return;
    watchers.remove(directory);
    follow(directory);
  }

  /** @param {string} path */
  function look(path) {
    const stats = lstatOf(join(root, path));
    if (stats?.isDirectory()) {
      if (ignored.has(path, true)) return;
      for (const one of knownBelow(path)) if (!lstatOf(join(root, one))?.isFile()) changed(one);
      return follow(path);
    }
    watchers.remove(path);
    for (const one of knownBelow(path)) changed(one);
    if (isKnown(path) || (stats?.isFile() && !ignored.has(path, false))) changed(path);
  }

  return {
    touch,
    isQuiet: () => dirty.size === 0,
    isGitAtWork: () => git.isAtWork({ isSure: true }),
    /** Resolves once everything that happened before the call is reported. */
    async flush() {
      // Two turns of the event loop: in the first, the kernel's notices are read, and in the second, they are handled.
      for (let turn = 0; turn < 2; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        report();
      }
    },
    /** With `scan`, all known files are compared with the disk. */
    /** @param {Iterable<string>} scan */
    begin(scan) {
      for (const path of scan) dirty.add(path);
      follow('');
      hasBegun = true;
      report();
    },
    close() {
      timer.stop();
      git.stop();
      watchers.remove('');
    },
  };
}

/** @param {() => void} run */
function createTimer(run) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    /** @param {number} ms */
    start(ms) {
      clearTimeout(timer);
      timer = setTimeout(run, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Creates watchers of directories, each for the entries of one directory.
 * @param {string} root
 * @param {(path: string) => void} onChange
 */
function createWatchers(root, onChange) {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();

  /** Stops watching a directory and all directories below it. @param {string} directory */
  function remove(directory) {
    for (const [path, watcher] of watchers) {
      if (directory !== '' && path !== directory && !path.startsWith(`${directory}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  return {
    remove,
    /** Watches a directory. False if it is already watched, or cannot be watched. @param {string} directory */
    add(directory) {
      if (watchers.has(directory) || watchers.size >= maxDirectories) return false;
      try {
        const watcher = watch(join(root, directory), (_event, name) => {
          if (name !== null) onChange(join(directory, name));
        });
        watcher.on('error', () => remove(directory));
        watchers.set(directory, watcher);
        return true;
      } catch {
        return false;
      }
    },
  };
}
