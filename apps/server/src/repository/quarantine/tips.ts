import { askGit, feedGit, GitError, type GitProgram, tellsOfLimit } from '../cache/index.ts';
import { mainRef } from '../objects/ref-names.ts';
import type { RefUpdate } from '../store/index.ts';
import { longestCheckMs } from './limits.ts';
import type { Tip } from './push-rules.ts';
import { peelTags } from './tags-of-tags.ts';

/**
 * What is known about the new value of each reference, by name. References whose objects did not arrive are left out.
 */
export async function examineTips(
  git: GitProgram,
  directory: string,
  commands: readonly RefUpdate[],
): Promise<Map<string, Tip>> {
  const wanted = commands.filter((command): command is RefUpdate & { to: Buffer } => command.to !== null);
  const types = await typesOf(git, directory, new Set(wanted.map(({ to }) => to.toString('hex'))));
  const tags = [...types].filter(([, type]) => type === 'tag').map(([sha]) => sha);
  const peeled = await peelTags(git, directory, tags);
  const tips = new Map<string, Tip>();
  for (const { name, from, to } of wanted) {
    const hex = to.toString('hex');
    const type = types.get(hex);
    const target = peeled.get(hex);
    if (!type || (type === 'tag' && !target)) continue;
    const isFastForward = name !== mainRef || from === null || (await isAncestor(git, directory, from, to));
    tips.set(name, { type, peeled: target ? Buffer.from(target, 'hex') : null, isFastForward });
  }
  return tips;
}

async function typesOf(git: GitProgram, directory: string, shas: ReadonlySet<string>): Promise<Map<string, string>> {
  const args = [`--git-dir=${directory}`, 'cat-file', '--batch-check=%(objectname) %(objecttype)'];
  const input = [...shas].map((sha) => `${sha}\n`).join('');
  const answer = await askGit(git, args, { input, maxBytes: 100 * shas.size, timeoutMs: longestCheckMs });
  const known = answer.matchAll(/^([0-9a-f]{40}) (commit|tree|blob|tag)$/gm);
  return new Map([...known].map(([, sha = '', type = '']) => [sha, type]));
}

/** Whether a commit is an ancestor of another one. */
export const isAncestor = (git: GitProgram, directory: string, commit: Buffer, descendant: Buffer): Promise<boolean> =>
  areRelated(git, directory, ['--is-ancestor', commit.toString('hex'), descendant.toString('hex')]);

export const haveCommonCommit = (git: GitProgram, directory: string, one: Buffer, other: Buffer): Promise<boolean> =>
  areRelated(git, directory, [one.toString('hex'), other.toString('hex')]);

async function areRelated(git: GitProgram, directory: string, question: string[]): Promise<boolean> {
  try {
    const args = ['merge-base', ...question];
    await feedGit(git, [`--git-dir=${directory}`, ...args], { timeoutMs: longestCheckMs });
    return true;
  } catch (error) {
    if (error instanceof GitError && !tellsOfLimit(error.message)) return false;
    throw error;
  }
}
