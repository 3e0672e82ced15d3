import { resolve } from 'node:path';
import type { Connection } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/text.ts';
import { topOf, withoutOwnFilters } from './clone-folder.ts';
import { askGit, fetchCommit, headOf, remoteOf, runGit, type Where } from './git.ts';

export type Wanted = {
  projectId: string;
  /** The reference to fetch, such as `refs/merge-requests/7/head`. */
  ref: string;
  /** The name of the local branch. */
  branch: string;
  /** The branch of the service that a new local branch follows. */
  upstream: string | undefined;
};

/**
 * Fetches a reference of the service and checks it out as a local branch. An existing branch only moves forward: its own
 * commits are never lost. Returns the fetched commit.
 */
export async function checkOut(io: Io, connection: Connection, wanted: Wanted): Promise<string> {
  const top = await topOf(io.cwd);
  // `GIT_WORK_TREE` is set because otherwise the folder's configuration could make git write the files elsewhere.
  const inFolder = { cwd: top, env: { GIT_WORK_TREE: top } };
  await mustBeBranchName(io, wanted.branch, inFolder);
  const commit = await fetchCommit(io, connection, { ...wanted, ...(await storeOf(io, inFolder)) });
  const where = { cwd: top, env: { ...inFolder.env, ...(await withoutOwnFilters(io, inFolder)) } };
  const local = `refs/heads/${wanted.branch}`;
  const has = async (one: string, other: string) =>
    (await askGit(io, ['merge-base', '--is-ancestor', other, one], where)) !== undefined;
  if ((await askGit(io, ['rev-parse', '--verify', '--quiet', local], where)) === undefined) {
    await runGit(io, { name: 'checkout', args: ['--no-track', '-b', wanted.branch, commit] }, where);
    await follow(io, connection, wanted, where);
  } else if (await has(local, commit)) {
    await runGit(io, { name: 'checkout', args: [wanted.branch, '--'] }, where);
  } else if (await has(commit, local)) {
    await runGit(io, { name: 'checkout', args: [wanted.branch, '--'] }, where);
    await runGit(io, { name: 'merge', args: ['--ff-only', commit] }, where);
  } else {
    throw new Failure(
      'conflict',
      `The local branch ${printable(wanted.branch)} has commits that the service does not have here.`,
      'Use --branch to check it out under another name.',
    );
  }
  return commit;
}

/**
 * Throws if a name is not valid for a branch. The name comes from the service, and git must not read it as an option.
 */
async function mustBeBranchName(io: Io, branch: string, where: Where): Promise<void> {
  const isName = (await askGit(io, ['check-ref-format', `refs/heads/${branch}`], where)) !== undefined;
  if (isName && !branch.startsWith('-')) return;
  throw new Failure('usage', `${printable(branch)} is not a valid branch name.`, 'Use --branch.');
}

/** Where the clone stores its objects, and a commit that it has with all commits before it. */
async function storeOf(io: Io, where: Where): Promise<{ objects: string; known: string | undefined }> {
  const answer = await askGit(io, ['rev-parse', '--is-shallow-repository', '--git-path', 'objects'], where);
  const [isShallow, objects] = answer?.split('\n') ?? [];
  if (objects === undefined) throw new Failure('failed', 'git cannot read this clone.');
  return { objects: resolve(where.cwd, objects), known: isShallow === 'false' ? await headOf(io) : undefined };
}

/** Lets `git push` and `git pull` use the branch of the service, if the clone's remote is the project. */
async function follow(io: Io, connection: Connection, wanted: Wanted, where: Where): Promise<void> {
  const { projectId, branch, upstream } = wanted;
  const origin = await askGit(io, ['config', '--get', 'remote.origin.url'], where);
  if (upstream === undefined || origin !== remoteOf(connection.baseUrl, projectId)) return;
  await runGit(io, { name: 'config', args: [`branch.${branch}.remote`, 'origin'] }, where);
  await runGit(io, { name: 'config', args: [`branch.${branch}.merge`, `refs/heads/${upstream}`] }, where);
}
