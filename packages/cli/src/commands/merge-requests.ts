import type { MergeRequest } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { sourceHere, subjectOf, tellOfUnpushed, textFrom } from '../merge-requests/opening.ts';
import { membersNamed } from '../merge-requests/people.ts';
import { nameOf, sourceOf, stateOf } from '../merge-requests/shown.ts';
import { gather } from '../project/gather.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, printable, table } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';
import { countOf, listOf, numberOf, type Run, withExamples } from './command.ts';
import { addMergeCommands } from './merging.ts';
import { addQueueCommands } from './queue.ts';
import { viewRequest } from './request-view.ts';
import { addReviewCommands } from './reviews.ts';

const states = ['open', 'merged', 'closed', 'all'] as const;

export function addMergeRequestCommands(program: Command, run: Run): void {
  const mr = program
    .command('mr')
    .summary('manage merge requests')
    .description("Offer a branch's changes for another branch, review them and merge them.");

  const create = mr
    .command('create')
    .description('Open a merge request and print its address. The branch must have been pushed.')
    .option('--source <branch>', 'branch with the changes; default: the branch that is checked out here')
    .option('--target <branch>', 'branch that the changes are for', 'main')
    .option('--title <text>', "title; default: the subject of the source's last commit")
    .option('--description <text>', 'description, in Markdown')
    .option('--file <file>', 'read the description from a file; - for standard input')
    .option('--upstream', 'offer the changes to the project that this one was forked from')
    .option('--draft', 'open it as a draft, which cannot be merged yet')
    .option('--reviewer <people>', 'id, e-mail address or name of a member; can be repeated', listOf)
    .action(run(open));
  withExamples(
    create,
    'btg mr create',
    'btg mr create --source feature --title "Say hello" --reviewer ada@example.com',
    'btg mr create --upstream',
  );

  const ls = mr
    .command('ls')
    .description("List a project's merge requests, newest first.")
    .addOption(new Option('--state <state>', 'list only those in this state').choices(states).default('open'))
    .option('--mine', 'list only those that you opened')
    .option('--waiting', 'list those in all projects that are waiting for your review')
    .option('--limit <number>', 'maximum number of merge requests', countOf, 20)
    .action(run(list));
  withExamples(ls, 'btg mr ls', 'btg mr ls --waiting', 'btg mr ls --state merged --mine --json');

  const view = mr
    .command('view')
    .description('Show a merge request and its reviews.')
    .argument('<number>', 'number of the merge request', numberOf)
    .option('--diff', 'show what it changes')
    .option('--threads', 'show its threads, with their places and ids')
    .action(run(viewRequest));
  withExamples(view, 'btg mr view 7', 'btg mr view 7 --threads --diff');

  addReviewCommands(mr, run);
  addMergeCommands(mr, run);
  addQueueCommands(mr, run);
}

type OpenOptions = {
  source?: string;
  target: string;
  title?: string;
  description?: string;
  file?: string;
  draft?: boolean;
  upstream?: boolean;
  reviewer?: string[];
};

async function open(context: Context, options: OpenOptions): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  const { target, draft, title, file, description: text, upstream } = options;
  const to = upstream ? await upstreamOf(project) : projectId;
  const source = options.source ?? (await sourceHere(project));
  const subject = await subjectOf(project, source);
  const description = await textFrom(io, { ...(text !== undefined && { text }), ...(file !== undefined && { file }) });
  const reviewers = options.reviewer && (await membersNamed({ ...project, projectId: to }, options.reviewer));
  const from = { source, ...(upstream && { source_project: projectId }) };
  const input = { ...from, target, title: title ?? subject, description, draft, reviewers };
  const opened = await connection.client.mergeRequests.create(to, input, { signal: io.signal });
  output.note(`Opened the merge request ${opened.number}: ${printable(opened.title)}`);
  await tellOfUnpushed(project, opened);
  output.result(opened, () => opened.url);
}

async function upstreamOf({ connection, projectId, io }: Project): Promise<string> {
  const { forked_from } = await connection.client.projects.get(projectId, { signal: io.signal });
  if (forked_from === null) throw new Failure('usage', 'The project is not a fork.', 'Leave out --upstream.');
  return forked_from;
}

type ListOptions = { state: (typeof states)[number]; mine?: boolean; waiting?: boolean; limit: number };

async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const found = options.waiting ? await waitingForReview(context, options) : await ofProject(context, options);
  const rows = found.map((one) => [
    ...(options.waiting ? [one.project_name] : []),
    ...[
      `${one.number}`,
      stateOf(one),
      sourceOf(one),
      one.target,
      nameOf(one.author),
      agoInWords(one.updated_at),
      one.title,
    ],
  ]);
  const head = ['NUMBER', 'STATE', 'SOURCE', 'TARGET', 'AUTHOR', 'UPDATED', 'TITLE'];
  output.result(found, () => table(options.waiting ? ['PROJECT', ...head] : head, rows, output.colours));
}

async function waitingForReview(context: Context, { state, mine, limit }: ListOptions): Promise<MergeRequest[]> {
  if (mine) throw new Failure('usage', 'Specify either --mine or --waiting.');
  if (state === 'all') throw new Failure('usage', '--waiting needs one state.');
  const { client } = await connect(context);
  const query = { part: 'waiting' as const, state, limit: Math.min(limit, 100) };
  return gather(client.mergeRequests.listOwn(query, { signal: context.io.signal }), limit);
}

async function ofProject(context: Context, { state, mine, limit }: ListOptions): Promise<MergeRequest[]> {
  const { connection, projectId, io } = await projectFor(context);
  const query = {
    ...(state !== 'all' && { state }),
    ...(mine && { author: 'me' }),
    limit: Math.min(limit, 100),
  };
  return gather(connection.client.mergeRequests.list(projectId, query, { signal: io.signal }), limit);
}
