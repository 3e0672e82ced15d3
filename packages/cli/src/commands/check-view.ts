import type { CheckRun, LogEntry } from '@bottega/sdk';
import { annotationInWords, hasFailed, runInWords, stateOf, withAnnotations } from '../checks/shown.ts';
import type { Context } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import { logLine } from '../terminal/log-line.ts';
import { printable } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';

type ViewOptions = { log?: boolean; follow?: boolean };

export async function viewCheck(context: Context, named: string, options: ViewOptions): Promise<void> {
  const project = await projectFor(context);
  const found = await findCheck(project, named);
  if ((options.log || options.follow) && found.source === 'outside') {
    const where = found.details_url ? `Its address is ${printable(found.details_url)}` : undefined;
    throw new Failure('usage', 'The check runs in another system, so its log is there.', where);
  }
  if (options.follow) return followCheck(project, found);
  const { connection, projectId, output, io } = project;
  const { checks } = connection.client;
  const run = await withAnnotations(project, found);
  const log = options.log ? (await checks.logs(projectId, run.id, {}, { signal: io.signal })).logs : undefined;
  output.result({ ...run, ...(log && { log }) }, () =>
    [runInWords(run), ...(log?.length ? [log.map((entry) => logLine(entry, output.colours)).join('\n')] : [])].join(
      '\n\n',
    ),
  );
}

async function findCheck({ connection, projectId, io }: Project, named: string): Promise<CheckRun> {
  const { checks } = connection.client;
  const call = { signal: io.signal };
  if (named.startsWith('chk_')) return checks.get(projectId, named, call);
  const { data } = await checks.list(projectId, { name: named, limit: 1 }, call);
  if (data[0]) return data[0];
  throw new Failure('notFound', `The project has no check ${printable(named)}.`, 'Run `btg check ls`.');
}

/** Follows the log of a check. With `--json`, the last line is the check itself. */
async function followCheck(project: Project, { id }: CheckRun): Promise<void> {
  const { connection, projectId, output, io } = project;
  const { checks } = connection.client;
  const print = (entry: LogEntry) => output.line(entry, () => logLine(entry, output.colours));
  for await (const entry of checks.followLogs({ project_id: projectId, id }, { signal: io.signal })) print(entry);
  const ended = await withAnnotations(project, await checks.get(projectId, id, { signal: io.signal }));
  if (output.isJson) output.line(ended, () => '');
  else for (const annotation of ended.annotations) output.line(annotation, () => annotationInWords(annotation));
  const title = ended.output.title === '' ? '' : `: ${printable(ended.output.title)}`;
  if (hasFailed(ended)) throw new Failure('failed', `${printable(ended.name)} ended with ${stateOf(ended)}${title}`);
}
