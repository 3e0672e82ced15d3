import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveTo } from '../../deployments/index.ts';
import { branchPrefix } from '../../repository/objects/ref-names.ts';

/** Branch and settings of the workspace itself, before anything ran in it. */
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

/** Where the agent's programs are in a sandbox. `%S` becomes the service that git asks for. */
const remote = 'ext::/opt/bottega/bin/node /opt/bottega/agent/program/git-stream.mjs %S';

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/**
 * A file's time in seconds and its size tell whether it has changed, because the rest differs between layers. The
 * workspace saves files all the time, so merges begin with a stash of what is not committed.
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
