// @ts-check
/** @typedef {{ sha: string, exec: boolean }} Known */

/**
 * The files on which both sides agree, by path. They are also counted by directory: every changed path might have been
 * a directory before, and a search through all files for each of them would take seconds.
 */
export function createKnownFiles() {
  /** @type {Map<string, Known>} */
  const files = new Map();
  /** @type {Map<string, number>} */
  const below = new Map();

  /** @param {string} path @param {number} change */
  function count(path, change) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end);
      const now = (below.get(directory) ?? 0) + change;
      if (now === 0) below.delete(directory);
      else below.set(directory, now);
    }
  }

  return {
    /** @param {string} path */
    get: (path) => files.get(path),
    /** @param {string} path */
    has: (path) => files.has(path),
    paths: () => files.keys(),
    /** @param {string} path @param {Known} file */
    set(path, file) {
      if (!files.has(path)) count(path, 1);
      files.set(path, file);
    },
    /** False if the file was not known. @param {string} path */
    delete(path) {
      if (!files.delete(path)) return false;
      count(path, -1);
      return true;
    },
    /** The files in a directory and those below it. @param {string} directory */
    below: (directory) =>
      below.has(directory) ? [...files.keys()].filter((one) => one.startsWith(`${directory}/`)) : [],
  };
}

/** @typedef {ReturnType<typeof createKnownFiles>} KnownFiles */
