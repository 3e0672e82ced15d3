import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveTo } from '../../deployments/index.ts';
import { branchPrefix } from '../../repository/objects/ref-names.ts';

/**
 * Writes the workspace's own part of the repository: its branch and its settings. No program has run in the workspace
 * yet.
 */
export async function seedBranch(directory: string, branch: string, commit: Buffer | null): Promise<void> {
  const upper = join(directory, 'workspace');
  const inside = join(upper, '.git');
  const ref = join(inside, branchPrefix + branch);
  await mkdir(dirname(ref), { recursive: true });
  if (commit) await writeFile(ref, `${commit.toString('hex')}\n`);
  await writeFile(join(inside, 'HEAD'), `ref: ${branchPrefix}${branch}\n`);
  await writeFile(join(inside, 'config'), configOf(branch));
  const { uid } = await stat(upper);
  if (process.getuid?.() === 0) await giveTo(uid, inside);
}

/**
 * The address of the remote: a program of the agent, at its place in a sandbox. Git replaces `%S` by the service that
 * it asks for.
 */
const remote = 'ext::/opt/bottega/bin/node /opt/bottega/agent/program/git-stream.mjs %S';

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/**
 * Git compares only the size and the time in seconds of a file, because the other values differ between layers. The
 * workspace saves files all the time, so merges and rebases first stash what is not committed.
 */
const configOf = (branch: string): string => `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
	trustctime = false
	checkStat = minimal
[protocol "ext"]
	allow = user
[remote "origin"]
	url = ${remote}
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch ${quoted(branch)}]
	remote = origin
	merge = ${quoted(branchPrefix + branch)}
[push]
	default = current
	autoSetupRemote = true
[pull]
	rebase = false
[merge]
	autoStash = true
[rebase]
	autoStash = true
[gc]
	auto = 0
`;
