import { askGit, type GitProgram } from '../cache/index.ts';
import { longestStepMs } from './merge-directory.ts';

/** The relation of two commits. Each count is the number of commits that one history has and the other one lacks. */
export type Relation = { mergeBase: Buffer | null; ahead: number; behind: number };

type Pair = { base: Buffer; head: Buffer };

export async function relate(git: GitProgram, directory: string, { base, head }: Pair): Promise<Relation> {
  const place = `--git-dir=${directory}`;
  const inTime = { timeoutMs: longestStepMs };
  const [one, other] = [base.toString('hex'), head.toString('hex')];
  // Exit code 1 means that there is no merge base.
  const answer = await askGit(git, [place, 'merge-base', one, other], { ...inTime, answers: [0, 1] });
  const counts = await askGit(git, [place, 'rev-list', '--count', '--left-right', `${one}...${other}`], inTime);
  const [behind = 0, ahead = 0] = counts.trim().split('\t').map(Number);
  return { mergeBase: answer ? Buffer.from(answer.trim(), 'hex') : null, ahead, behind };
}

/** The newest commits of `head` that `base` does not have. */
export async function newestCommits(
  git: GitProgram,
  directory: string,
  { base, head, max }: Pair & { max: number },
): Promise<Buffer[]> {
  const range = `${base.toString('hex')}..${head.toString('hex')}`;
  const args = [`--git-dir=${directory}`, 'rev-list', '--topo-order', `--max-count=${max}`, range];
  const shas = await askGit(git, args, { timeoutMs: longestStepMs });
  return shas
    .split('\n')
    .filter((sha) => sha !== '')
    .map((sha) => Buffer.from(sha, 'hex'));
}
