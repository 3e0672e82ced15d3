import { join, resolve } from 'node:path';
import { copyToTemporary, withTemporaryFolder, writeTemporary } from '../files/temporary.ts';
import { topOf, withoutOwnFilters } from '../project/clone-folder.ts';
import { askGit, initBare, needGit, pushCommit, runGit, type Where } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import type { Project } from '../workspace/find-workspace.ts';

/**
 * Sends the files of this clone as they are now, with changes that are not committed, to the service. They are not put
 * on a branch, and the clone's index, branches and objects do not change. Returns the commit.
 */
export async function pushLocalFiles({ io, connection, projectId }: Project): Promise<string> {
  await needGit(io);
  if (connection.linkedProject !== projectId) {
    throw new Failure('usage', 'This folder is not linked to the project.', 'Use --ref.');
  }
  const top = await topOf(io.cwd);
  return withTemporaryFolder(async (folder) => {
    await initBare(io, folder);
    const commit = await commitLocalFiles(io, top, folder);
    await pushCommit(io, connection, folder, { projectId, commit, ref: `refs/checks/${commit}` });
    return commit;
  });
}

/** New objects are written to the bare repository in `folder`, which reads all others from the clone. */
async function commitLocalFiles(io: Io, top: string, folder: string): Promise<string> {
  const clone = { cwd: top, env: { GIT_WORK_TREE: top } };
  await borrowFrom(io, clone, folder);
  const where = {
    cwd: top,
    env: {
      ...clone.env,
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: join(folder, 'objects'),
      ...(await withoutOwnFilters(io, clone)),
    },
  };
  const settings = ['-c', 'core.splitIndex=false', '-c', 'advice.addEmbeddedRepo=false'];
  await runGit(io, { settings, name: 'add', args: ['--all', '--', '.'] }, where);
  const tree = await answerOf(io, ['write-tree'], where);
  const head = await askGit(io, ['rev-parse', '--verify', '--quiet', 'HEAD'], where);
  if (head && (await answerOf(io, ['rev-parse', '--verify', `${head}^{tree}`], where)) === tree) return head;
  return commitOf(io, where, { tree, head });
}

/**
 * Lets the new repository use the objects of the clone, and copies the index, so that git need not read files that have
 * not changed.
 */
async function borrowFrom(io: Io, clone: Where, folder: string): Promise<void> {
  const paths = ['objects', 'index', 'shallow'].flatMap((name) => ['--git-path', name]);
  const answer = await answerOf(io, ['rev-parse', ...paths], clone);
  const [objects = '', index = '', shallow = ''] = answer.split('\n').map((path) => resolve(clone.cwd, path));
  await writeTemporary(folder, 'objects/info/alternates', `${objects}\n`);
  await copyToTemporary(index, folder, 'index');
  await copyToTemporary(shallow, folder, 'shallow');
}

/**
 * Creates a commit whose id depends only on the files and on the commit before it, so that nothing is sent when the
 * user tries again.
 */
async function commitOf(io: Io, where: Where, { tree, head }: { tree: string; head: string | undefined }) {
  const date = head ? await answerOf(io, ['show', '--no-patch', '--format=%ct', head], where) : '0';
  const who = { NAME: 'btg', EMAIL: 'btg@localhost', DATE: `@${date} +0000` };
  const person = Object.entries(who).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  const parents = head ? ['-p', head] : [];
  const env = { ...where.env, ...Object.fromEntries(person) };
  return answerOf(io, ['commit-tree', tree, ...parents, '-m', 'Local changes'], { ...where, env });
}

async function answerOf(io: Io, args: readonly string[], where: Where): Promise<string> {
  const answer = await askGit(io, args, where);
  if (answer === undefined) throw new Failure('failed', `git ${args[0]} failed in ${where.cwd}.`);
  return answer;
}
