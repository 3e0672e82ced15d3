import type { CheckRun } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import { runInWords, stateOf, tookInWords, withAnnotations } from '../checks/shown.ts';
import type { Context } from '../context.ts';
import { gather } from '../project/gather.ts';
import { agoInWords, table } from '../terminal/text.ts';
import { projectFor } from '../workspace/find-workspace.ts';
import { runChecks } from './check-run.ts';
import { viewCheck } from './check-view.ts';
import { countOf, type Run, withExamples } from './command.ts';

const statuses = ['queued', 'in_progress', 'completed'] as const;

export function addCheckCommands(program: Command, run: Run): void {
  const check = program
    .command('check')
    .summary('run and read checks')
    .description("Run the checks of a project's bottega.json, and read their logs and annotations.");

  const ls = check
    .command('ls')
    .description("List a project's checks, newest first.")
    .option('--ref <ref>', 'list only checks of this branch, tag or commit')
    .option('--name <name>', 'list only checks with this name')
    .addOption(new Option('--status <status>', 'list only checks with this status').choices(statuses))
    .option('--limit <number>', 'maximum number of checks', countOf, 20)
    .action(run(list));
  withExamples(ls, 'btg check ls', 'btg check ls --ref main --json');

  const view = check
    .command('view')
    .description('Show a check and what it says about lines of files.')
    .argument('<check>', 'check id or name; a name selects the newest check with this name')
    .option('--log', 'show its log')
    .option('-f, --follow', 'follow its log until it is completed; the exit code is 1 if it failed')
    .action(run(viewCheck));
  withExamples(view, 'btg check view test', 'btg check view chk_… --log', 'btg check view test --follow');

  const start = check
    .command('run')
    .summary('run checks on the files of this folder, before a push')
    .description(
      'Run checks on the service. Without --ref, the files of this folder are checked as they are now, without files ' +
        'that git ignores; no branch changes. The exit code is 1 if a check fails.',
    )
    .argument('[names...]', 'names of checks; default: all checks of bottega.json')
    .option('--ref <ref>', 'check a branch, a tag or a commit of the service instead')
    .option('--no-wait', 'exit as soon as the checks are queued')
    .action(run(runChecks));
  withExamples(start, 'btg check run', 'btg check run lint test', 'btg check run --ref main --no-wait');

  for (const [name, description] of Object.entries(changes)) {
    const act = changeBy(name as keyof typeof changes);
    check.command(name).description(description).argument('<check>', 'check id').action(run(act));
  }
}

const changes = {
  rerun: 'Run a completed check again, and the checks that were skipped because of it.',
  cancel: 'Cancel a check that is queued or running.',
};

type ListOptions = { ref?: string; name?: string; status?: CheckRun['status']; limit: number };

async function list(context: Context, { ref, name, status, limit }: ListOptions): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const query = { ref, name, status, limit: Math.min(limit, 100) };
  const found = await gather(connection.client.checks.list(projectId, query, { signal: io.signal }), limit);
  const rows = found.map((one) => [
    ...[one.id, one.name, stateOf(one), one.head_sha.slice(0, 7), agoInWords(one.created_at), tookInWords(one)],
    one.output.title,
  ]);
  const head = ['ID', 'NAME', 'STATE', 'COMMIT', 'CREATED', 'TOOK', 'TITLE'];
  output.result(found, () => table(head, rows, output.colours));
}

function changeBy(change: keyof typeof changes) {
  return async (context: Context, id: string): Promise<void> => {
    const project = await projectFor(context);
    const { connection, projectId, output, io } = project;
    const changed = await connection.client.checks[change](projectId, id, { signal: io.signal });
    const shown = await withAnnotations(project, changed);
    output.result(changed, () => runInWords(shown));
  };
}
