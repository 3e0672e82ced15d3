import { BottegaError, type MergeMergeRequest, type MergeRequest } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import { askUntil } from '../checks/waiting.ts';
import type { Context } from '../context.ts';
import { type Block, blocksInWords, requestInWords } from '../merge-requests/shown.ts';
import { checkOut } from '../project/checkout.ts';
import { needGit } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import { details, printable } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';
import { numberOf, type Run, withExamples } from './command.ts';

const strategies = ['merge', 'squash', 'rebase', 'fast-forward'] as const;

/** Commands below `btg mr` that take a merge request to its end. */
export function addMergeCommands(mr: Command, run: Run): void {
  const which = 'number of the merge request';
  const checkout = mr
    .command('checkout')
    .description("Check out a merge request's newest version in this clone. Local commits are not lost.")
    .argument('<number>', which, numberOf)
    .option('--branch <branch>', 'name of the local branch; default: the source')
    .action(run(checkOutOne));
  withExamples(checkout, 'btg mr checkout 7', 'btg mr checkout 7 --branch review');

  const merge = mr
    .command('merge')
    .description('Merge a merge request into its target, now or as soon as all requirements are met.')
    .argument('<number>', which, numberOf)
    .addOption(new Option('--strategy <strategy>', 'how to merge; default: merge').choices(strategies))
    .option('-m, --message <text>', 'message of the commit')
    .option('--head <commit>', 'merge only if this is still the newest commit')
    .option('--delete-branch', 'delete the source afterwards')
    .option('--when-ready', 'put it into the queue, which merges it once all requirements are met')
    .option(
      '--wait',
      'with --when-ready: wait until the request is merged; exit with 1 if it leaves the queue without being merged',
    )
    .action(run(mergeOne));
  withExamples(
    merge,
    'btg mr merge 7',
    'btg mr merge 7 --strategy squash --delete-branch',
    'btg mr merge 7 --when-ready --wait',
  );

  mr.command('close')
    .description('Close a merge request without merging it.')
    .argument('<number>', which, numberOf)
    .action(run(changeTo('closed')));

  mr.command('reopen')
    .description('Open a closed merge request again.')
    .argument('<number>', which, numberOf)
    .action(run(changeTo('open')));
}

async function checkOutOne(context: Context, number: string, options: { branch?: string }): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  await needGit(io);
  if (connection.linkedProject !== projectId) {
    throw new Failure('usage', 'This folder is not linked to the project.', 'Clone the project with `btg clone`.');
  }
  const { source, state } = await connection.client.mergeRequests.get(projectId, number, { signal: io.signal });
  const branch = options.branch ?? source;
  const ref = `refs/merge-requests/${number}/head`;
  const upstream = state === 'open' ? source : undefined;
  const commit = await checkOut(io, connection, { projectId, ref, branch, upstream });
  output.result({ number: Number(number), branch, commit }, () =>
    details([
      ['branch', branch],
      ['commit', commit],
    ]),
  );
}

type MergeOptions = {
  strategy?: (typeof strategies)[number];
  message?: string;
  head?: string;
  deleteBranch?: boolean;
  whenReady?: boolean;
  wait?: boolean;
};

async function mergeOne(context: Context, number: string, options: MergeOptions): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  const { message, head, deleteBranch, whenReady, wait } = options;
  if (wait && !whenReady) throw new Failure('usage', '--wait needs --when-ready.');
  const strategy = options.strategy?.replace('-', '_') as MergeMergeRequest['strategy'];
  const input = { strategy, message, head_sha: head, delete_branch: deleteBranch, when_ready: whenReady };
  const { mergeRequests } = connection.client;
  const asked = await mergeRequests.merge(projectId, number, input, { signal: io.signal }).catch(withReasons);
  const merged = wait ? await waitForMerge(project, number) : asked;
  output.result(merged, () => requestInWords(merged));
  if (wait && merged.state !== 'merged') throw await whyNotMerged(project, merged);
}

const waitForMerge = ({ connection, projectId, io }: Project, number: string): Promise<MergeRequest> =>
  askUntil(
    io,
    () => connection.client.mergeRequests.get(projectId, number, { signal: io.signal }),
    ({ state, queue }) => state !== 'open' || queue === null,
  );

async function whyNotMerged({ connection, projectId, io }: Project, { number, state }: MergeRequest): Promise<Failure> {
  if (state !== 'open') return new Failure('failed', `The merge request was ${state}.`);
  const { mergeRequests } = connection.client;
  const { blocked_by } = await mergeRequests.readiness(projectId, `${number}`, { signal: io.signal });
  return new Failure('failed', 'The merge request left the queue.', blocksInWords(blocked_by));
}

/** For `catch`: throws an error that lists the files that both sides changed, or what is missing before a merge. */
function withReasons(error: unknown): never {
  if (!(error instanceof BottegaError)) throw error;
  const { conflicts, blocked_by } = (error.details ?? {}) as { conflicts?: { path: string }[]; blocked_by?: Block[] };
  if (Array.isArray(blocked_by)) {
    const hint = `${blocksInWords(blocked_by)}\nWith --when-ready, it is merged as soon as all requirements are met.`;
    throw new Failure('conflict', error.message, hint);
  }
  if (!Array.isArray(conflicts)) throw error;
  const paths = conflicts.map(({ path }) => printable(String(path))).join(', ');
  const hint = 'Merge the target into the source, resolve the conflicts and push.';
  throw new Failure('conflict', `${error.message} (${paths})`, hint);
}

function changeTo(state: 'open' | 'closed') {
  return async (context: Context, number: string): Promise<void> => {
    const { connection, projectId, output, io } = await projectFor(context);
    const { mergeRequests } = connection.client;
    const changed: MergeRequest = await mergeRequests.update(projectId, number, { state }, { signal: io.signal });
    output.result(changed, () => requestInWords(changed));
  };
}
