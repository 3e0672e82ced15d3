import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { branchHere, projectFor, tellOfUnpushed, workspaceOf } from '../workspace/find-workspace.ts';
import { runToEnd } from '../workspace/run-to-end.ts';
import { type Run, withExamples } from './command.ts';

export function addRunCommand(program: Command, run: Run): void {
  const command = program
    .command('run')
    .summary("run a command in a workspace of this folder's branch")
    .description(
      "Run a command in a workspace of this folder's project and branch, which is created if there is none. The exit " +
        'code is that of the command. Ctrl-C interrupts the command. Local changes are used only after git push.',
    )
    .argument('<command...>', 'a program with its arguments, or one quoted line for the shell')
    .option('--branch <branch>', 'branch; default: the branch that is checked out here, or main');
  withCommandOptions(command).action(run(runHere));
  withExamples(command, 'btg run -- npm test', "btg run --branch feature 'npm run lint && npm test'");
}

/** Options of all commands that run a command in a workspace. */
export const withCommandOptions = (command: Command): Command =>
  command
    .option('--cwd <directory>', "working directory, relative to the project's root")
    .option('--set <name=value>', 'environment variable; can be repeated', variable)
    .option('-i, --stdin', 'send standard input to the command');

function variable(text: string, former: Record<string, string> = {}): Record<string, string> {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must have the form name=value.');
  return { ...former, [name]: value };
}

export type CommandOptions = { cwd?: string; set?: Record<string, string>; stdin?: boolean };

async function runHere(context: Context, words: string[], options: CommandOptions & { branch?: string }) {
  const project = await projectFor(context);
  const branch = options.branch ?? (await branchHere(project));
  const workspace = await workspaceOf(project, branch);
  await tellOfUnpushed(project, branch);
  const { cwd, set: env, stdin } = options;
  await runToEnd(project, workspace.id, { words, ...(cwd && { cwd }), ...(env && { env }), ...(stdin && { stdin }) });
}
