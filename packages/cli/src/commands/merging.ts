import { BottegaError, type MergeMergeRequest, type MergeRequest } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { requestInWords } from '../merge-requests/shown.ts';
import { checkOut } from '../project/checkout.ts';
import { needGit } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import { details, printable } from '../terminal/text.ts';
import { projectFor } from '../workspace/find-workspace.ts';
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
    .description('Merge a merge request into its target.')
    .argument('<number>', which, numberOf)
    .addOption(new Option('--strategy <strategy>', 'how to merge; default: merge').choices(strategies))
    .option('-m, --message <text>', 'message of the commit')
    .option('--head <commit>', 'merge only if this is still the newest commit')
    .option('--delete-branch', 'delete the source afterwards')
    .action(run(mergeOne));
  withExamples(merge, 'btg mr merge 7', 'btg mr merge 7 --strategy squash --delete-branch');

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
};

async function mergeOne(context: Context, number: string, options: MergeOptions): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const { message, head, deleteBranch } = options;
  const strategy = options.strategy?.replace('-', '_') as MergeMergeRequest['strategy'];
  const input = { strategy, message, head_sha: head, delete_branch: deleteBranch };
  const { mergeRequests } = connection.client;
  const merged = await mergeRequests.merge(projectId, number, input, { signal: io.signal }).catch(withConflicts);
  output.result(merged, () => requestInWords(merged));
}

/** For `catch`: names the files that both sides changed. */
function withConflicts(error: unknown): never {
  const { conflicts } = ((error instanceof BottegaError && error.details) || {}) as { conflicts?: { path: string }[] };
  if (!(error instanceof BottegaError) || !Array.isArray(conflicts)) throw error;
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
