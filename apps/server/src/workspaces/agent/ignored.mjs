// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';

/** Directories that are never synchronised, whatever the project's rules are. */
const never = new Set(['.git', 'node_modules']);

/**
 * The rules of all `.gitignore` files of a directory.
 * @param {string} root
 */
export function createIgnored(root) {
  /** @type {Map<string, import('ignore').Ignore | null>} */
  const rules = new Map();

  /** @param {string} directory */
  function rulesOf(directory) {
    const known = rules.get(directory);
    if (known !== undefined) return known;
    let made = null;
    try {
      made = ignore().add(readFileSync(join(root, directory, '.gitignore'), 'utf8'));
    } catch {
      // It has none.
    }
    rules.set(directory, made);
    return made;
  }

  /** Whether rules exclude this very path. @param {string} path @param {boolean} isDirectory */
  function isExcluded(path, isDirectory) {
    const parts = path.split('/');
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const found = rulesOf(parts.slice(0, depth).join('/'));
      const relative = parts.slice(depth).join('/') + (isDirectory ? '/' : '');
      const { ignored = false, unignored = false } = found?.test(relative) ?? {};
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  return {
    /** Forgets the rules of a directory, because its `.gitignore` has changed. @param {string} directory */
    changed: (directory) => void rules.delete(directory),
    /** @param {string} path @param {boolean} isDirectory */
    has(path, isDirectory) {
      const parts = path.split('/');
      if (parts.some((part) => never.has(part))) return true;
      for (let depth = 1; depth < parts.length; depth++) {
        if (isExcluded(parts.slice(0, depth).join('/'), true)) return true;
      }
      return isExcluded(path, isDirectory);
    },
  };
}
