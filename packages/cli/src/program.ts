import { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addCheckCommands } from './commands/checks.ts';
import { type Run, withExamples } from './commands/command.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDeploymentCommands } from './commands/deployments.ts';
import { addDomainCommands } from './commands/domains.ts';
import { addEnvCommands } from './commands/env.ts';
import { addFileCommands } from './commands/files.ts';
import { addFolderCommands } from './commands/folders.ts';
import { addGitCredentialCommand } from './commands/git-credential.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addListenCommand } from './commands/listen.ts';
import { addMergeRequestCommands } from './commands/merge-requests.ts';
import { addPageCommands } from './commands/pages.ts';
import { addProjectCommands } from './commands/projects.ts';
import { addRuleCommands } from './commands/rules.ts';
import { addRunCommand } from './commands/run.ts';
import { addSessionCommands } from './commands/session.ts';
import { addWebhookCommands } from './commands/webhooks.ts';
import { addWorkspaceCommands } from './commands/workspaces.ts';
import { version } from './version.ts';

/** The tree of all commands. Parser, help, completions and manual page are created from it. */
export function createProgram(run: Run): Command {
  const program = new Command('btg')
    .description('The command line for Bottega, a self-hosted cloud development platform.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .option('--url <address>', 'address of the service; default: BOTTEGA_URL, this folder, or the last `btg login`')
    .option('--token <token>', 'an API key or an access token; default: BOTTEGA_TOKEN, or `btg login`')
    .option('-p, --project <project>', "project id or name; default: this folder's project")
    .option('--json', 'print data as JSON')
    .option('--no-color', 'print without colors, like NO_COLOR');
  withExamples(program, 'btg login bottega.example.com', 'btg init shop --template empty', 'cd shop && btg deploy');
  addAccountCommands(program, run);
  addProjectCommands(program, run);
  addFolderCommands(program, run);
  addFileCommands(program, run);
  addMergeRequestCommands(program, run);
  addRuleCommands(program, run);
  addCheckCommands(program, run);
  addDeploymentCommands(program, run);
  addDomainCommands(program, run);
  addEnvCommands(program, run);
  addRunCommand(program, run);
  addWorkspaceCommands(program, run);
  addSessionCommands(program, run);
  addWebhookCommands(program, run);
  addListenCommand(program, run);
  addKeyCommands(program, run);
  addPageCommands(program, run);
  addCompletionCommand(program, run);
  addGitCredentialCommand(program, run);
  return program;
}
