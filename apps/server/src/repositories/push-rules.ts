import { isValidBranchName } from '../git/ref-names.ts';
import type { Ref } from './git-store.sql.ts';
import type { Command } from './push-request.ts';

export const mainRef = 'refs/heads/main';

/** The id of a tree without entries, which git knows without storing it. */
export const emptyTree = Buffer.from('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'hex');

/** What is known about a reference's new value once its objects have arrived. */
export type Tip = { type: string; peeled: Buffer | null; isFastForward: boolean };

const longestName = 200;

/** What can be refused by its name alone. */
export function whyNotCommand({ name, to }: Command): string | null {
  const short = /^refs\/(?:heads|tags)\/(.+)$/.exec(name)?.[1];
  if (short === undefined) return 'only branches (refs/heads/) and tags (refs/tags/) can be pushed';
  const fits = Buffer.byteLength(name) <= longestName && isValidBranchName(short) && !short.includes('\ufffd');
  if (!fits && to) return 'this is not a name that git allows here';
  if (name === mainRef && !to) return 'main is the default branch and cannot be deleted';
  return null;
}

/** What can be refused by what it points to. */
export function whyNotTip({ name }: Command, tip: Tip | undefined): string | null {
  if (!tip) return 'it points to an object that was not sent';
  if (name.startsWith('refs/heads/') && tip.type !== 'commit') return 'a branch must point to a commit';
  if (name === mainRef && !tip.isFastForward) {
    return 'main is the default branch and takes no force pushes (non-fast-forward)';
  }
  return null;
}

/** What can be refused by the references as they are, asked while nothing can change them. */
export function whyNotNow({ name, from, to }: Command, present: ReadonlyMap<string, Ref>): string | null {
  const now = present.get(name)?.sha ?? null;
  if (!(now === null ? from === null : from?.equals(now))) {
    if (!to && now === null) return 'there is no such reference';
    return now === null ? 'it was deleted meanwhile; fetch first' : 'it was changed meanwhile; fetch first';
  }
  if (!to) return null;
  // Git keeps references as files: `a` and `a/b` cannot both be there.
  for (const other of present.keys()) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return `${other} is in the way`;
  }
  return null;
}
