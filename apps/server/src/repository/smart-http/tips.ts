import { askGit, feedGit, GitError, type GitProgram } from './git-process.ts';
import type { Command } from './push-request.ts';
import { mainRef, type Tip } from './push-rules.ts';

/** What each new value is, by the name of its reference; what did not arrive is left out. */
export async function examineTips(
  git: GitProgram,
  directory: string,
  commands: readonly Command[],
): Promise<Map<string, Tip>> {
  const wanted = commands.filter((command): command is Command & { to: Buffer } => command.to !== null);
  const input = wanted.map(({ to }) => `${to.toString('hex')}\n${to.toString('hex')}^{}\n`).join('');
  const args = [`--git-dir=${directory}`, 'cat-file', '--batch-check=%(objectname) %(objecttype)'];
  const lines = (await askGit(git, args, { input, mostBytes: 200 * wanted.length })).split('\n');
  const tips = new Map<string, Tip>();
  for (const [place, command] of wanted.entries()) {
    const [, type] = lines[place * 2]?.match(/^[0-9a-f]{40} (commit|tree|blob|tag)$/) ?? [];
    const [, target] = lines[place * 2 + 1]?.match(/^([0-9a-f]{40}) \w+$/) ?? [];
    if (!type || !target) continue;
    const { name, from, to } = command;
    const isFastForward = name !== mainRef || from === null || (await isAncestor(git, directory, from, to));
    tips.set(name, { type, peeled: type === 'tag' ? Buffer.from(target, 'hex') : null, isFastForward });
  }
  return tips;
}

/** Whether a commit is among those that another one builds upon. */
export async function isAncestor(
  git: GitProgram,
  directory: string,
  commit: Buffer,
  descendant: Buffer,
): Promise<boolean> {
  try {
    const args = ['merge-base', '--is-ancestor', commit.toString('hex'), descendant.toString('hex')];
    await feedGit(git, [`--git-dir=${directory}`, ...args]);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}
