// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { basename, join } from 'node:path';

/** Commands of git that change many files in several steps. */
const changing = new Set([
  ...['am', 'checkout', 'cherry-pick', 'clean', 'merge', 'mv', 'pull', 'read-tree', 'rebase', 'reset', 'restore'],
  ...['revert', 'rm', 'sparse-checkout', 'stash', 'switch', 'bisect'],
]);
/** Longest time for which changes are held back. */
const longestMs = 60_000;
/** After this time without a change in `.git`, no git command is assumed to be at work. */
const quietMs = 2_000;
const mostCommits = 200;
const longestName = 255;

/**
 * The branch that HEAD names. Null if it names a commit or nothing valid, undefined if there is no repository.
 * @param {string} root
 * @returns {string | null | undefined}
 */
export function headOf(root) {
  try {
    const text = readFileSync(join(root, '.git/HEAD'), 'utf8');
    const name = /^ref: refs\/heads\/(.+)$/m.exec(text)?.[1] ?? '';
    return name === '' || name.length > longestName ? null : name;
  } catch {
    return undefined;
  }
}

/**
 * The newest commits in HEAD's history, HEAD's own first.
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export function commitsOf(root) {
  const args = ['-C', root, 'rev-list', '--first-parent', `--max-count=${mostCommits}`, 'HEAD', '--'];
  return new Promise((resolve) => {
    execFile('git', args, { timeout: 5_000 }, (_error, stdout) => resolve(stdout.split('\n').filter(Boolean)));
  });
}

/**
 * Watches `.git`. While git changes files, `isAtWork` is true, so that a checkout, merge or stash is seen as one
 * change.
 * @param {string} root
 * @param {() => void} onChange
 */
export function watchGit(root, onChange) {
  const directory = join(root, '.git');
  /** @type {import('node:fs').FSWatcher | null} */
  let watcher = null;
  let changedAt = 0;
  let heldSince = 0;

  function follow() {
    if (watcher) return;
    try {
      watcher = watch(directory, () => {
        changedAt = Date.now();
        onChange();
      });
      watcher.on('error', stop);
      changedAt = Date.now();
    } catch {
      // There is no repository.
    }
  }

  function stop() {
    watcher?.close();
    watcher = null;
  }

  /** @param {boolean} isSure */
  function isBusy(isSure) {
    const isLikely = isSure || Date.now() - changedAt < quietMs || heldSince > 0;
    return isLocked(root) || (isLikely && processes().some(isChanging));
  }

  follow();
  return {
    /** Call this when a repository may have been created or removed. */
    again() {
      if (!existsSync(directory)) stop();
      follow();
    },
    /** Whether git is changing files. With `isSure`, also finds a git command that has not changed anything yet. */
    isAtWork({ isSure = false } = {}) {
      if (!isBusy(isSure)) heldSince = 0;
      else if (heldSince === 0) heldSince = Date.now();
      return heldSince > 0 && Date.now() - heldSince < longestMs;
    },
    stop,
  };
}

/** @param {string} root */
const isLocked = (root) => existsSync(join(root, '.git/index.lock'));

/** The arguments of all processes. */
function processes() {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')];
    } catch {
      return [];
    }
  });
}

/** @param {string[]} args */
const isChanging = ([program = '', ...args]) =>
  basename(program) === 'git' && args.slice(0, 8).some((arg) => changing.has(arg));
