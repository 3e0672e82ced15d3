import type { CheckAnnotation, RequestChecks } from '@bottega/sdk';
import type { Command } from 'commander';
import { annotationInWords, hasFailed, requestChecksInWords, withAnnotations } from '../checks/shown.ts';
import { askUntil } from '../checks/waiting.ts';
import type { Context } from '../context.ts';
import { nameOf, requestInWords } from '../merge-requests/shown.ts';
import { gather } from '../project/gather.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, printable, table } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';
import { numberOf, type Run, withExamples } from './command.ts';

/** Commands below `btg mr` that tell what must happen before a merge, and in which order requests are merged. */
export function addQueueCommands(mr: Command, run: Run): void {
  const which = 'number of the merge request';
  const checks = mr
    .command('checks')
    .description('Show the checks of a merge request. The exit code is 1 if one failed.')
    .argument('<number>', which, numberOf)
    .option('--start', 'start the checks of a fork, which wait until a member has looked at its changes')
    .option('--wait', 'wait until all of them are completed')
    .action(run(showChecks));
  withExamples(checks, 'btg mr checks 7', 'btg mr checks 7 --wait');

  const queue = mr
    .command('queue')
    .description('List the merge requests that will be merged when they are ready, in merge order.')
    .argument('[target]', 'branch that they are merged into; default: main')
    .action(run(showQueue));
  withExamples(queue, 'btg mr queue', 'btg mr queue release/2');

  mr.command('dequeue')
    .description('Take a merge request out of the queue.')
    .argument('<number>', which, numberOf)
    .action(run(dequeue));
}

async function showChecks(
  context: Context,
  number: string,
  { wait, start }: { wait?: boolean; start?: boolean },
): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  if (start) {
    const { mergeRequests } = connection.client;
    const { head_sha } = await mergeRequests.get(projectId, number, { signal: io.signal });
    await mergeRequests.startChecks(projectId, number, { head_sha }, { signal: io.signal });
  }
  const ask = () => connection.client.mergeRequests.checks(projectId, number, { signal: io.signal });
  const { colours } = output;
  const all = wait
    ? await askUntil(io, ask, ({ state, needs_start }) => state !== 'pending' || needs_start)
    : await ask();
  const annotations = await annotationsOf(project, all);
  output.result({ ...all, annotations }, () =>
    [requestChecksInWords(all.data, colours), ...annotations.map(annotationInWords)].join('\n'),
  );
  if (all.needs_start)
    output.note('The checks wait until a member has looked at the changes. To start them, use --start.');
  if (all.problem !== null) throw new Failure('failed', printable(all.problem));
  const failed = all.data.flatMap(({ name, run }) => (run && hasFailed(run) ? [printable(name)] : []));
  if (all.state === 'failure') throw new Failure('failed', `These checks failed: ${failed.join(', ')}.`);
}

async function annotationsOf(project: Project, { data }: RequestChecks): Promise<CheckAnnotation[]> {
  const runs = await Promise.all(data.flatMap(({ run }) => (run ? [withAnnotations(project, run)] : [])));
  return runs.flatMap(({ annotations }) => annotations);
}

async function showQueue(context: Context, target: string | undefined): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const query = target === undefined ? {} : { target };
  const found = await gather(connection.client.mergeRequests.listQueue(projectId, query, { signal: io.signal }));
  const rows = found.map(({ number, title, queue }) => [
    ...[`${queue?.position ?? ''}`, `${number}`, queue?.state ?? '', nameOf(queue?.queued_by)],
    ...[queue ? agoInWords(queue.queued_at) : '', title],
  ]);
  const head = ['PLACE', 'NUMBER', 'STATE', 'QUEUED BY', 'QUEUED', 'TITLE'];
  output.result(found, () => table(head, rows, output.colours));
}

async function dequeue(context: Context, number: string): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const { mergeRequests } = connection.client;
  await mergeRequests.leaveQueue(projectId, number, { signal: io.signal });
  const request = await mergeRequests.get(projectId, number, { signal: io.signal });
  output.result(request, () => requestInWords(request));
}
