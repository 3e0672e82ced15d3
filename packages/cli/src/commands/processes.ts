import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { agoInWords, sizeInWords, table } from '../terminal/text.ts';
import { mustFindWorkspace, projectFor } from '../workspace/find-workspace.ts';
import { type Run, withExamples } from './command.ts';

type Options = { stop?: string; kill?: string };

/** What runs in a workspace, below `btg ws`. */
export function addProcessCommands(ws: Command, run: Run): void {
  const ps = ws
    .command('ps')
    .description('List the processes of a workspace. With --stop or --kill, end one first.')
    .argument('[workspace]', "workspace id or branch; default: this folder's branch")
    .option('--stop <pid>', 'ask this process to end (SIGTERM)')
    .option('--kill <pid>', 'end this process at once (SIGKILL)')
    .action(run(list));
  withExamples(ps, 'btg ws ps', 'btg ws ps main --stop 42');
}

async function list(context: Context, named: string | undefined, { stop, kill }: Options): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output } = project;
  const { workspaces } = connection.client;
  const { id } = await mustFindWorkspace(project, named);
  if (stop !== undefined) await workspaces.signalProcess(projectId, id, stop, { signal: 'SIGTERM' });
  if (kill !== undefined) await workspaces.signalProcess(projectId, id, kill, { signal: 'SIGKILL' });
  const { data } = await workspaces.processes(projectId, id);
  const rows = data.map((one) => [
    `${one.pid}`,
    sizeInWords(one.memory),
    `${one.cpu_seconds.toFixed(1)} s`,
    agoInWords(one.started_at),
    one.command.slice(0, 200),
  ]);
  output.result(data, () => table(['PID', 'MEMORY', 'CPU', 'STARTED', 'COMMAND'], rows, output.colours));
}
