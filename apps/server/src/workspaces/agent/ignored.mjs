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
  /** @type {Map<string, { text: string, rules: import('ignore').Ignore | null }>} */
  const known = new Map();

  /** @param {string} directory */
  function textOf(directory) {
    try {
      return readFileSync(join(root, directory, '.gitignore'), 'utf8');
    } catch {
      return '';
    }
  }

  /** @param {string} directory */
  function rulesOf(directory) {
    const before = known.get(directory);
    if (before) return before.rules;
    const text = textOf(directory);
    const rules = text === '' ? null : ignore().add(text);
    known.set(directory, { text, rules });
    return rules;
  }

  /**
   * Whether a rule excludes this path itself, and not just a directory above it.
   * @param {string} path
   * @param {boolean} isDirectory
   */
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
    /** Reads the rules of a directory again. True if they have changed. @param {string} directory */
    reread(directory) {
      const before = known.get(directory)?.text ?? '';
      known.delete(directory);
      return textOf(directory) !== before;
    },
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
