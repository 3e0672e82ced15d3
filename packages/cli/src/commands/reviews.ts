import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { textFrom } from '../merge-requests/opening.ts';
import { threadInWords } from '../merge-requests/shown.ts';
import { Failure } from '../terminal/failure.ts';
import { details } from '../terminal/text.ts';
import { projectFor } from '../workspace/find-workspace.ts';
import { numberOf, type Run, withExamples } from './command.ts';

/** Commands below `btg mr` with which people talk about a merge request. */
export function addReviewCommands(mr: Command, run: Run): void {
  const which = 'number of the merge request';
  const review = mr
    .command('review')
    .description('Review a merge request. Comments that you kept as drafts are sent too.')
    .argument('<number>', which, numberOf)
    .option('--approve', 'approve the changes')
    .option('--request-changes', 'request changes')
    .option('--comment', 'comment only')
    .option('-m, --message <text>', 'text of the review, in Markdown; - for standard input')
    .option('--head <commit>', 'the commit that you reviewed; refused if there is a newer one')
    .action(run(submit));
  withExamples(review, 'btg mr review 7 --approve', 'btg mr review 7 --request-changes -m "The test is missing."');

  const comment = mr
    .command('comment')
    .description('Begin a thread about lines, a file or the whole merge request, or reply in a thread.')
    .argument('<number>', which, numberOf)
    .requiredOption('-m, --message <text>', 'text of the comment, in Markdown; - for standard input')
    .option('--path <path>', 'the file; default: the whole merge request')
    .option('--line <lines>', 'a line of the file, such as 12, or lines, such as 10-12', linesOf)
    .addOption(new Option('--side <side>', 'left: the lines before the change').choices(['left', 'right']))
    .option('--reply <thread>', 'id of the thread to reply in')
    .action(run(say));
  withExamples(
    comment,
    'btg mr comment 7 --path src/main.ts --line 12 -m "Why?"',
    'btg mr comment 7 --reply mrt_… -m Yes',
  );

  mr.command('resolve')
    .description('Resolve a thread. With --reopen, open it again.')
    .argument('<number>', which, numberOf)
    .argument('<thread>', 'thread id')
    .option('--reopen', 'open the thread again')
    .action(run(resolve));
}

type Lines = { start_line?: number; line: number };

function linesOf(text: string): Lines {
  const [, first, last] = /^([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?$/.exec(text) ?? [];
  if (first === undefined) throw new InvalidArgumentError('It must have the form 12 or 10-12.');
  if (last === undefined) return { line: Number(first) };
  if (Number(last) < Number(first)) throw new InvalidArgumentError('The last line is before the first.');
  return { start_line: Number(first), line: Number(last) };
}

const events = { approve: 'APPROVE', requestChanges: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;

type ReviewOptions = Partial<Record<keyof typeof events, boolean>> & { message?: string; head?: string };

async function submit(context: Context, number: string, options: ReviewOptions): Promise<void> {
  const [name, ...others] = (Object.keys(events) as (keyof typeof events)[]).filter((one) => options[one]);
  if (name === undefined || others.length > 0) {
    throw new Failure('usage', 'Specify one of --approve, --request-changes and --comment.');
  }
  const { connection, projectId, output, io } = await projectFor(context);
  const body = await messageFrom(context, options.message);
  const input = { event: events[name], body, head_sha: options.head };
  const made = await connection.client.mergeRequests.submitReview(projectId, number, input, { signal: io.signal });
  output.result(made, () =>
    details([
      ['review', made.id],
      ['event', made.event],
      ['version', `${made.version}`],
    ]),
  );
}

const messageFrom = ({ io }: Context, message: string | undefined): Promise<string | undefined> =>
  message === '-' ? textFrom(io, { file: '-' }) : Promise.resolve(message);

type CommentOptions = { message: string; path?: string; line?: Lines; side?: 'left' | 'right'; reply?: string };

async function say(context: Context, number: string, options: CommentOptions): Promise<void> {
  const { path, line, side, reply } = options;
  if (reply !== undefined && path !== undefined) throw new Failure('usage', 'Specify either --reply or --path.');
  if (path === undefined && (line ?? side) !== undefined) throw new Failure('usage', '--line and --side need --path.');
  const { connection, projectId, output, io } = await projectFor(context);
  const { mergeRequests } = connection.client;
  const body = (await messageFrom(context, options.message)) ?? '';
  if (reply !== undefined) {
    const made = await mergeRequests.reply(projectId, number, reply, { body }, { signal: io.signal });
    return output.result(made, () => made.id);
  }
  const place = {
    ...(path !== undefined && { path: `/${path.replace(/^\/+/, '')}` }),
    ...line,
    ...(side === 'left' && { side: 'LEFT' as const }),
  };
  const made = await mergeRequests.createThread(projectId, number, { ...place, body }, { signal: io.signal });
  output.result(made, () => made.id);
}

async function resolve(context: Context, number: string, thread: string, { reopen }: { reopen?: boolean }) {
  const { connection, projectId, output, io } = await projectFor(context);
  const { mergeRequests } = connection.client;
  const input = { resolved: !reopen };
  const changed = await mergeRequests.updateThread(projectId, number, thread, input, { signal: io.signal });
  output.result(changed, () => threadInWords(changed, output.colours));
}
