import { deceives, isValidBranchName } from '@bottega/contract';
import { checksPrefix, mainRef } from '../objects/ref-names.ts';
import type { RefUpdate } from '../store/index.ts';

/** What is known about the new value of a reference once its objects have arrived. */
export type Tip = { type: string; peeled: Buffer | null; isFastForward: boolean };

const longestName = 200;

/** The service itself chooses these names when somebody pushes a commit that is to be checked. */
const isOwnName = new RegExp(`^${checksPrefix}usr_[0-9a-z]{1,64}/[0-9a-f]{40}$`);

/** Why the update is refused because of the reference's name. Null if the name is allowed. */
export function whyNotCommand({ name, to }: RefUpdate): string | null {
  if (isOwnName.test(name)) return null;
  const short = /^refs\/(?:heads|tags)\/(.+)$/.exec(name)?.[1];
  if (short === undefined) return 'only branches (refs/heads/) and tags (refs/tags/) can be pushed';
  const fits = Buffer.byteLength(name) <= longestName && isValidBranchName(short) && !short.includes('\ufffd');
  if (!fits && to) return 'git does not allow this name';
  if (to && deceives(name)) return 'the name contains invisible characters';
  if (name === mainRef && !to) return 'main is the default branch and cannot be deleted';
  return null;
}

/** Why the update is refused because of the reference's new target. Null if the target is allowed. */
export function whyNotTip({ name }: RefUpdate, tip: Tip | undefined): string | null {
  if (!tip) return 'it points to an object that was not sent';
  if (name.startsWith('refs/heads/') && tip.type !== 'commit') return 'a branch must point to a commit';
  if (name.startsWith(checksPrefix) && tip.type !== 'commit') return 'only commits can be checked';
  if (name === mainRef && !tip.isFastForward) {
    return 'main is the default branch and does not accept force pushes (non-fast-forward)';
  }
  return null;
}
