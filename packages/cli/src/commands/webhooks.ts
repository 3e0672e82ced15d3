import type { Delivery, ListedWebhook } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { gather } from '../project/gather.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, details, printable, table } from '../terminal/text.ts';
import { countOf, listOf, type Run, withExamples } from './command.ts';

export function addWebhookCommands(program: Command, run: Run): void {
  const webhooks = program
    .command('webhooks')
    .summary('manage webhooks and view deliveries')
    .description('Manage webhooks and view their deliveries. `btg listen` forwards events to this machine.');

  webhooks
    .command('ls')
    .description("List your webhooks. With --project, list only one project's webhooks.")
    .action(run(list));

  const create = webhooks
    .command('create')
    .description('Create a webhook. With --project, the webhook receives only the events of one project.')
    .argument('<address>', 'URL of the receiver')
    .requiredOption('--events <names>', 'events, such as file.updated,deployment.*', listOf)
    .option('--name <name>', 'name of the webhook')
    .option('--secret <secret>', 'signing secret; default: a generated secret')
    .addOption(new Option('--format <format>', 'payload format').choices(['core', 'reference', 'guide']))
    .action(run(createWebhook));
  withExamples(create, 'btg webhooks create https://ci.example.com/hook --events file.*,deployment.completed');

  webhooks
    .command('test')
    .description('Send a test event once and print the result.')
    .argument('<webhook>', 'webhook id')
    .option('--event <name>', 'send an example of this event')
    .action(run(test));

  webhooks
    .command('deliveries')
    .description("List a webhook's deliveries, newest first.")
    .argument('<webhook>', 'webhook id')
    .addOption(new Option('--status <status>').choices(['success', 'failed', 'pending']))
    .option('--limit <number>', 'maximum number of deliveries', countOf, 20)
    .action(run(deliveries));

  webhooks
    .command('redeliver')
    .description('Send a delivery again. With --failed, send all failed deliveries that did not succeed later.')
    .argument('<webhook>', 'webhook id')
    .argument('[delivery]', 'delivery id')
    .option('--failed', 'send all failed deliveries again')
    .action(run(redeliver));
}

async function list(context: Context): Promise<void> {
  const connection = await connect(context);
  const project_id = context.options.project && (await projectOf(context, connection));
  const webhooks = await gather(connection.client.webhooks.list({ project_id, limit: 100 }));
  const rows = webhooks.map(({ webhook_id, url, events, active, stats }) => [
    ...[webhook_id, url, events.join(' '), active ? 'active' : 'off', agoInWords(stats.last_delivery)],
  ]);
  context.output.result(webhooks, () =>
    table(['ID', 'ADDRESS', 'EVENTS', 'STATE', 'LAST DELIVERY'], rows, context.output.colours),
  );
}

type CreateOptions = { events: string[]; name?: string; secret?: string; format?: ListedWebhook['format'] };

async function createWebhook(context: Context, url: string, options: CreateOptions): Promise<void> {
  const connection = await connect(context);
  const project_id = context.options.project && (await projectOf(context, connection));
  const webhook = await connection.client.webhooks.create({ url, project_id, ...options });
  context.output.note(`Created ${webhook.webhook_id}`);
  context.output.result(webhook, () =>
    details([
      ['webhook', webhook.webhook_id],
      ['secret', webhook.secret],
    ]),
  );
}

async function test(context: Context, id: string, { event }: { event?: string }): Promise<void> {
  const { client } = await connect(context);
  const outcome = await client.webhooks.test(id, { event_type: event });
  context.output.result(outcome, () =>
    details([
      ['delivery', outcome.delivery_id],
      ['status', outcome.status],
      [
        'response',
        outcome.response_code === null ? null : `${outcome.response_code} after ${outcome.response_time} ms`,
      ],
    ]),
  );
  if (outcome.status !== 'success') {
    throw new Failure(
      'failed',
      `The receiver did not accept the test event: ${printable(outcome.error ?? 'unknown reason')}`,
    );
  }
}

type DeliveryOptions = { status?: Delivery['status']; limit: number };

async function deliveries(context: Context, id: string, { status, limit }: DeliveryOptions): Promise<void> {
  const { client } = await connect(context);
  const deliveries = await gather(client.deliveries.list(id, { status, limit: Math.min(limit, 100) }), limit);
  const rows = deliveries.map((one) => [
    ...[one.delivery_id, one.event_type, one.status, `${one.response_code ?? ''}`, `${one.attempts}`],
    agoInWords(one.created_at),
  ]);
  context.output.result(deliveries, () =>
    table(['ID', 'EVENT', 'STATUS', 'RESPONSE', 'ATTEMPTS', 'CREATED'], rows, context.output.colours),
  );
}

async function redeliver(
  context: Context,
  id: string,
  deliveryId: string | undefined,
  { failed }: { failed?: boolean },
): Promise<void> {
  if ((deliveryId === undefined) === !failed) throw new Failure('usage', 'Specify a delivery id or --failed.');
  const { client } = await connect(context);
  if (deliveryId === undefined) {
    const scheduled = await client.webhooks.redeliverFailed(id);
    return context.output.result(scheduled, () => details([['scheduled', `${scheduled.scheduled}`]]));
  }
  const redelivery = await client.deliveries.redeliver(id, deliveryId);
  context.output.result(redelivery, () => details([['scheduled', redelivery.delivery_id]]));
}
