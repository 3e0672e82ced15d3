import { GitError, type GitProgram, startGit, tellsOfLimit } from '../cache/index.ts';
import type { ObjectType } from '../objects/objects.ts';
import { inMebibytes, largestNote, largestTree, longestCheckMs, longestPath, type PushLimits } from './limits.ts';
import { PushRefused } from './push-refused.ts';

/** An object that the new references need but the current ones do not. */
export type NewObjectInfo = { type: ObjectType; size: number; path: string };

/**
 * All objects that have to be stored so that `tips` are reachable, by their ids in hex. Commits come before their
 * parents. The walk also proves that nothing is missing. The list of sent objects would not be enough, because a pack
 * may contain objects that nothing needs, and the cache may have objects that the database has deleted.
 */
export async function surveyNewObjects(
  git: GitProgram,
  directory: string,
  { tips, limits }: { tips: readonly Buffer[]; limits: PushLimits },
): Promise<Map<string, NewObjectInfo>> {
  const objects = new Map<string, NewObjectInfo>();
  let unpacked = 0;
  const wanted = tips.map((sha) => `${sha.toString('hex')}\n`).join('');
  for await (const line of describe(git, directory, wanted)) {
    const [, sha = '', type, size, path = ''] = /^([0-9a-f]{40}) (\w+) (\d+) ?(.*)$/s.exec(line) ?? [];
    if (!type) throw new Error(`git describes an object as ${JSON.stringify(line)}`);
    const info = { type: type as ObjectType, size: Number(size), path: readablePath(path) };
    unpacked += info.size;
    if (info.type === 'blob' && info.size > limits.file) throw tooLarge(info, limits.file);
    mustBeOfUsualSize(sha, info);
    if (objects.size >= limits.objects) throw new PushRefused(`more than ${limits.objects} objects in one push`);
    if (unpacked > limits.unpacked) {
      throw new PushRefused(`more than ${inMebibytes(limits.unpacked)} when unpacked`, [
        `All files in all commits of a push can have at most ${inMebibytes(limits.unpacked)}. Push fewer commits at a time.`,
      ]);
    }
    // Only the paths of trees may be needed later. Others would waste memory.
    objects.set(sha, info.type === 'tree' ? info : { ...info, path: '' });
  }
  return objects;
}

/** `rev-list` lists the objects and `cat-file` their sizes. Both run at the reader's pace. */
async function* describe(git: GitProgram, directory: string, input: string): AsyncGenerator<string> {
  const inTime = { timeoutMs: longestCheckMs };
  const place = `--git-dir=${directory}`;
  const walk = await startGit(
    git,
    [place, 'rev-list', '--objects', '--topo-order', '--stdin', '--not', '--all'],
    inTime,
  );
  const format = '%(objectname) %(objecttype) %(objectsize) %(rest)';
  const sizes = await startGit(git, [place, 'cat-file', '--buffer', `--batch-check=${format}`], inTime);
  try {
    walk.stdin.end(input);
    walk.stdout.pipe(sizes.stdin);
    let rest = '';
    for await (const chunk of sizes.stdout.setEncoding('latin1')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      // Endlessly nested directories would make each line longer than the one before.
      if (rest.length > 2 * longestPath) throw new PushRefused('a path is too long');
      yield* lines;
    }
    const [walked, sized] = await Promise.all([walk.ended, sizes.ended]);
    if (!walked.ok && tellsOfLimit(walked.words)) throw new GitError(walked.words);
    if (!walked.ok) throw new PushRefused('required objects are missing', missingWords(walked.words));
    if (!sized.ok) throw new GitError(sized.words);
  } finally {
    walk.kill();
    sizes.kill();
  }
}

function mustBeOfUsualSize(sha: string, { type, size, path }: NewObjectInfo): void {
  if (path.length > longestPath) throw new PushRefused('a path is too long');
  if ((type === 'commit' || type === 'tag') && size > largestNote) {
    throw new PushRefused(`a ${type} is larger than ${inMebibytes(largestNote)}`, [
      `The ${type} ${sha} has ${inMebibytes(size)}; with its message it can have at most ${inMebibytes(largestNote)}.`,
    ]);
  }
  if (type === 'tree' && size > largestTree) {
    throw new PushRefused('a directory has too many entries', [`There are too many names in ${path}.`]);
  }
}

function missingWords(words: string): string[] {
  return words
    .split('\n')
    .filter((line) => line.startsWith('fatal: '))
    .slice(0, 1);
}

const readablePath = (latin1: string): string => `/${Buffer.from(latin1, 'latin1').toString('utf8')}`;

function tooLarge({ path, size }: NewObjectInfo, limit: number): PushRefused {
  return new PushRefused(`a file is larger than ${inMebibytes(limit)}`, [
    `${path} has ${inMebibytes(size)}; a file can have at most ${inMebibytes(limit)}.`,
    'Remove it from every commit that contains it (git commit --amend, git rebase), then push again.',
  ]);
}
