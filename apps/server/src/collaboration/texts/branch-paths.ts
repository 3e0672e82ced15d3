import { isMain, mainBranch } from '../../repository/objects/ref-names.ts';

/**
 * The path of a live text as it is stored. On branches other than main, the name of the branch comes first. Git allows
 * no colon in the name of a branch, and every path begins with a slash, so the two cannot be confused.
 */
export const storedPath = ({ branch }: { branch: string }, path: string): string => prefixOf({ branch }) + path;

const prefixOf = (at: { branch: string }): string => (isMain(at) ? '' : `${at.branch}:`);

/** The prefix of all stored paths of a branch. */
export const storedRoot = (at: { branch: string }): string => `${prefixOf(at)}/`;

export function placeInBranch(stored: string): { branch: string; path: string } {
  const end = stored.startsWith('/') ? -1 : stored.indexOf(':');
  return end < 0 ? { branch: mainBranch, path: stored } : { branch: stored.slice(0, end), path: stored.slice(end + 1) };
}
