import type { Db } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { branchPrefix } from '../objects/ref-names.ts';
import type { Pusher } from '../quarantine/index.ts';
import { type RefUpdate, resolveBranch } from '../store/index.ts';
import type { PushRequest } from './push-request.ts';

/** Commits that somebody pushed to `refs/for/{target}`. */
export type Proposal = { target: string; head: Buffer; subject: string; options: ReadonlyMap<string, string> };

/** What another slice does with proposed commits. Both throw an `AppError` for a reason that the client is told. */
export type Proposals = {
  /** Chooses the branch that gets the commits. */
  branchFor(pusher: Pusher, proposal: Proposal): Promise<string>;
  /** Called when the branch has the commits. Returns a line for the terminal. */
  offer(pusher: Pusher, proposal: Proposal, branch: string): Promise<string>;
};

export const proposalPrefix = 'refs/for/';
const longestStepMs = 30_000;

type Parts = { db: Db; git: GitProgram; proposals: () => Proposals };
type Place = { directory: string; store(commands: readonly RefUpdate[]): Promise<Map<string, string>> };
type Result = { refused: Map<string, string>; messages: string[] };
type Named = { from: string; proposal: Proposal; branch: string; command: RefUpdate };

/**
 * Handles a push to `refs/for/main`: it updates a branch and offers that branch for `main`. So whoever pushes need not
 * choose a name for the branch, and needs no second step.
 */
export async function propose(
  parts: Parts,
  pusher: Pusher,
  { commands, options }: Pick<PushRequest, 'commands' | 'options'>,
  { directory, store }: Place,
): Promise<Result> {
  const proposed = commands.filter(({ name }) => name.startsWith(proposalPrefix));
  if (proposed.length === 0) return { refused: await store(commands), messages: [] };
  if (proposed.length > 1) throw new AppError('VALIDATION_ERROR', 'one push can propose commits for one branch only');
  const others = commands.filter(({ name }) => !name.startsWith(proposalPrefix));
  const [one] = proposed;
  const named = one && (await nameBranch(parts, pusher, { command: one, options, directory }));
  if (!named) return { refused: await store(commands), messages: [] };
  const refused = await store([...others, named.command]);
  const reason = refused.get(named.command.name);
  if (reason !== undefined) return { refused: refused.set(named.from, reason), messages: [] };
  const message = await parts.proposals().offer(pusher, named.proposal, named.branch);
  return { refused, messages: [message] };
}

type Wanted = { command: RefUpdate; options: ReadonlyMap<string, string>; directory: string };

async function nameBranch(
  { db, git, proposals }: Parts,
  pusher: Pusher,
  { command, options, directory }: Wanted,
): Promise<Named> {
  const { name: from, to } = command;
  if (!to)
    throw new AppError('VALIDATION_ERROR', `${proposalPrefix} only accepts commits, so nothing can be deleted there`);
  const args = [`--git-dir=${directory}`, 'log', '-1', '--format=%s', to.toString('hex')];
  const subject = Buffer.from(await askGit(git, args, { timeoutMs: longestStepMs }), 'latin1')
    .toString('utf8')
    .trim();
  const proposal = { target: from.slice(proposalPrefix.length), head: to, subject, options };
  const branch = await proposals().branchFor(pusher, proposal);
  const tip = (await resolveBranch(db, pusher.projectId, branch)) ?? null;
  return { from, proposal, branch, command: { name: branchPrefix + branch, from: tip, to } };
}
