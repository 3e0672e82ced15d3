import type { BranchRule, ChangeBranchRule } from '@bottega/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { gather } from '../project/gather.ts';
import { confirm } from '../terminal/confirm.ts';
import { Failure } from '../terminal/failure.ts';
import { details, printable, table } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';
import { countOf, listOf, type Run, withExamples } from './command.ts';

export function addRuleCommands(program: Command, run: Run): void {
  const rules = program
    .command('rules')
    .summary('manage branch rules')
    .description(
      'Set what a merge request needs before it is merged into a branch, and whether pushes to the branch are allowed.',
    );

  rules.command('ls').description("List the rules of a project's branches.").action(run(list));

  const add = rules
    .command('add')
    .description('Add a rule for a branch, or for all branches that match a pattern.')
    .argument('<pattern>', 'name of a branch; * stands for any part of it, as in release/*');
  withRuleOptions(add).action(run(addRule));
  withExamples(
    add,
    'btg rules add main --approvals 1 --checks lint,test --no-direct-push',
    "btg rules add 'release/*' --owners",
  );

  const edit = rules
    .command('edit')
    .description('Change a rule. Settings that you do not specify stay as they are.')
    .argument('<rule>', 'rule id or pattern');
  withRuleOptions(edit).action(run(editRule));
  withExamples(edit, 'btg rules edit main --approvals 2', 'btg rules edit main --no-checks --direct-push');

  rules
    .command('rm')
    .description('Delete a rule.')
    .argument('<rule>', 'rule id or pattern')
    .option('--yes', 'do not ask for confirmation')
    .action(run(remove));
}

const withRuleOptions = (command: Command): Command =>
  command
    .option('--approvals <number>', 'number of required approvals by members who can edit the project', approvalsOf)
    .option('--owners', 'owners of the changed files, from the file CODEOWNERS, must approve')
    .option('--no-owners', 'owners need not approve')
    .option('--checks <names>', 'checks that must succeed; can be repeated', listOf)
    .option('--no-checks', 'no checks are required')
    .option('--direct-push', 'pushes and writes to the branch are allowed')
    .option('--no-direct-push', 'only merge requests can change the branch')
    .option('--check-minutes <number>', 'how long to wait for checks of other systems', countOf);

function approvalsOf(text: string): number {
  if (!/^(\d|10)$/.test(text)) throw new InvalidArgumentError('It must be an integer from 0 to 10.');
  return Number(text);
}

type RuleOptions = {
  approvals?: number;
  owners?: boolean;
  checks?: string[] | false;
  directPush?: boolean;
  checkMinutes?: number;
};

const inputOf = ({ approvals, owners, checks, directPush, checkMinutes }: RuleOptions): ChangeBranchRule => ({
  ...(approvals !== undefined && { approvals }),
  ...(owners !== undefined && { owners }),
  ...(checks !== undefined && { checks: checks || [] }),
  ...(directPush !== undefined && { no_direct_push: !directPush }),
  ...(checkMinutes !== undefined && { check_minutes: checkMinutes }),
});

async function list(context: Context): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const found = await gather(connection.client.branchRules.list(projectId, { signal: io.signal }));
  const rows = found.map(({ id, pattern, approvals, owners, checks, no_direct_push }) => [
    ...[id, pattern, `${approvals}`, owners ? 'yes' : 'no', checks.join(', '), no_direct_push ? 'no' : 'yes'],
  ]);
  const head = ['ID', 'PATTERN', 'APPROVALS', 'OWNERS', 'CHECKS', 'DIRECT PUSH'];
  output.result(found, () => table(head, rows, output.colours));
}

async function addRule(context: Context, pattern: string, options: RuleOptions): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const input = { pattern, ...inputOf(options) };
  const rule = await connection.client.branchRules.create(projectId, input, { signal: io.signal });
  output.result(rule, () => ruleInWords(rule));
}

async function editRule(context: Context, named: string, options: RuleOptions): Promise<void> {
  const input = inputOf(options);
  if (Object.keys(input).length === 0) throw new Failure('usage', 'Specify what to change.');
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  const { id } = await findRule(project, named);
  const rule = await connection.client.branchRules.update(projectId, id, input, { signal: io.signal });
  output.result(rule, () => ruleInWords(rule));
}

async function remove(context: Context, named: string, { yes }: { yes?: boolean }): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  const { id, pattern } = await findRule(project, named);
  await confirm(io, `Delete the rule for ${printable(pattern)}?`, yes);
  await connection.client.branchRules.delete(projectId, id, { signal: io.signal });
  output.result({ id, pattern, deleted: true }, () => details([['deleted', pattern]]));
}

async function findRule({ connection, projectId, io }: Project, named: string): Promise<BranchRule> {
  const rules = await gather(connection.client.branchRules.list(projectId, { signal: io.signal }));
  const found = rules.find(({ id, pattern }) => id === named || pattern === named);
  if (found) return found;
  throw new Failure('notFound', `There is no rule ${printable(named)}.`, 'Run `btg rules ls`.');
}

function ruleInWords({ id, pattern, approvals, owners, checks, no_direct_push, check_minutes }: BranchRule): string {
  return details([
    ['rule', id],
    ['pattern', pattern],
    ['approvals', `${approvals}`],
    ['owners', owners ? 'must approve' : 'need not approve'],
    ['checks', checks.join(', ')],
    ['direct push', no_direct_push ? 'not allowed' : 'allowed'],
    ['check minutes', `${check_minutes}`],
  ]);
}
