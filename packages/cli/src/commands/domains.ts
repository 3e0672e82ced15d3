import type { Domain } from '@bottega/sdk';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { confirm } from '../terminal/confirm.ts';
import { details, printable, table } from '../terminal/text.ts';
import { type Run, withExamples } from './command.ts';

export function addDomainCommands(program: Command, run: Run): void {
  const domains = program
    .command('domains')
    .summary('manage custom domains')
    .description("List, add, check and remove a project's domains.");

  domains.command('ls').description("List a project's domains.").action(run(list));

  const add = domains
    .command('add')
    .description('Add a domain and print the DNS records to set.')
    .argument('<domain>', 'domain name, such as www.example.com')
    .option('--redirect-to <domain>', 'redirect visitors to another domain of the project')
    .action(run(addDomain));
  withExamples(add, 'btg domains add www.example.com', 'btg domains add example.com --redirect-to www.example.com');

  domains
    .command('check')
    .description('Check a domain now and print the DNS records that are still missing.')
    .argument('<domain>')
    .action(run(check));

  domains
    .command('rm')
    .description('Remove a domain. The service stops serving it.')
    .argument('<domain>')
    .option('--yes', 'do not ask for confirmation')
    .action(run(remove));
}

async function list(context: Context): Promise<void> {
  const connection = await connect(context);
  const { data } = await connection.client.domains.list(await projectOf(context, connection));
  const rows = data.map(({ domain, state, redirect_to, reason }) => [
    ...[domain, state, redirect_to ?? '', reason?.message ?? ''],
  ]);
  context.output.result(data, () => table(['DOMAIN', 'STATE', 'REDIRECTS TO', 'REASON'], rows, context.output.colours));
}

async function addDomain(context: Context, domain: string, { redirectTo }: { redirectTo?: string }): Promise<void> {
  const connection = await connect(context);
  const project = await projectOf(context, connection);
  tell(context, await connection.client.domains.add(project, { domain, redirect_to: redirectTo }));
}

async function check(context: Context, domain: string): Promise<void> {
  const connection = await connect(context);
  tell(context, await connection.client.domains.verify(await projectOf(context, connection), domain));
}

/** Lists the DNS records that are still missing. */
function tell(context: Context, found: Domain): void {
  const { domain, state, reason, redirect_to } = found;
  const missing = state === 'active' ? [] : found.records.filter(({ is_set }) => !is_set);
  if (missing.length > 0)
    context.output.note('Set these DNS records: either only the CNAME, or the TXT and an address record.');
  context.output.result(found, () =>
    [
      details([
        ['domain', domain],
        ['state', state],
        ['reason', reason?.message],
        ['redirects to', redirect_to],
      ]),
      ...(missing.length > 0
        ? [
            table(
              ['TYPE', 'NAME', 'VALUE'],
              missing.map(({ type, name, value }) => [type, name, value]),
              context.output.colours,
            ),
          ]
        : []),
    ].join('\n\n'),
  );
}

async function remove(context: Context, domain: string, { yes }: { yes?: boolean }): Promise<void> {
  const connection = await connect(context);
  const project = await projectOf(context, connection);
  await confirm(context.io, `Remove the domain ${printable(domain)}?`, yes);
  await connection.client.domains.remove(project, domain);
  context.output.result({ domain, removed: true }, () => details([['removed', domain]]));
}
