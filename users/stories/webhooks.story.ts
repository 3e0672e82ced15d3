import { webhooks } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { useReceiver } from '../../apps/server/src/testing/clients/webhook-receiver.ts';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newPerson } from '../people.ts';
import { projectWith } from '../projects.ts';

const receiver = useReceiver();

test('a webhook gets what happens, signed so that its receiver can tell', async () => {
  const { client } = await newPerson();
  const endpoint = receiver.at('/signed');
  const webhook = await client.webhooks.create({ url: endpoint.url, events: ['file.created'] });
  const id = await projectWith(client, { '/a.txt': 'x' });
  const { body, headers } = await endpoint.nth(0);
  const event = await webhooks.verify(body, headers, webhook.secret);
  expect(JSON.stringify(event)).toContain(id);
  await expect(webhooks.verify(`${body} `, headers, webhook.secret)).rejects.toMatchObject({
    code: 'INVALID_SIGNATURE',
  });
});

test('a delivery that failed is listed with its reason, and redelivered once the receiver is well', async () => {
  const { client } = await newPerson();
  const endpoint = receiver.at('/failing');
  receiver.reply('/failing', { status: 500, body: 'not today' });
  const retry_policy = { max_attempts: 1 };
  const webhook = await client.webhooks.create({ url: endpoint.url, events: ['file.created'], retry_policy });
  await projectWith(client, { '/a.txt': 'x' });
  const failed = await waitFor('it has failed', async () => {
    const { deliveries } = await client.deliveries.list(webhook.webhook_id, { status: 'failed' });
    return deliveries[0];
  });
  expect(failed).toMatchObject({ status: 'failed', response_code: 500 });
  receiver.reply('/failing', { status: 200 });
  await client.deliveries.redeliver(webhook.webhook_id, failed.delivery_id);
  await endpoint.nth(1);
  await waitFor('it is listed as delivered', async () => {
    const { deliveries } = await client.deliveries.list(webhook.webhook_id, { status: 'success' });
    return deliveries.length > 0;
  });
});
