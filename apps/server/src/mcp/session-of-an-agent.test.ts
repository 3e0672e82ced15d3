import { beforeAll, expect, test } from 'vitest';
import { useReceiver } from '../testing/clients/webhook-receiver.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { newPlace, type Place } from '../testing/samples/sample-files.ts';
import { createWebhook } from '../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { agentWith, dataOf } from './agent.fixture.ts';

/** An agent's work from the first file to a live site, by tools alone. */

const service = useTestService();
const receiver = useReceiver();
let place: Place & { user: TestUser };
let agent: Awaited<ReturnType<typeof agentWith>>;
beforeAll(async () => {
  place = await newPlace(service);
  agent = await agentWith(`${service.url}/mcp?project=${place.projectId}`, place.user.key);
});

async function told(tool: string, input: Record<string, unknown> = {}) {
  const answer = await agent.call(tool, input);
  expect(answer.isError, answer.text).toBe(false);
  return { ...answer, data: dataOf(answer) };
}

/** Every line of a list, over as many calls as it takes. */
async function allLines(tool: string, input: Record<string, unknown>): Promise<string[]> {
  const lines: string[] = [];
  for (let more: Record<string, unknown> | undefined = {}; more; ) {
    const { data, next } = await told(tool, { ...input, ...more });
    lines.push(...data.split('\n').filter((line) => line !== ''));
    more = next;
  }
  return lines;
}

const deployed = (input: Record<string, unknown>) =>
  told('create_deployment', { build_command: '', ...input }).then(({ data }) => String(JSON.parse(data).id));
const succeeded = (deployment_id: string) =>
  waitFor('the deployment has succeeded', async () => {
    const { status } = JSON.parse((await told('read_deployment', { deployment_id })).data);
    return status === 'success';
  });

test('an agent writes files, finds text in them, and reads the history page by page', async () => {
  for (let n = 0; n < 5; n++)
    await told('write_file', { path: `/page-${n}.html`, content: `<p>page number ${n}</p>\n` });
  const [found] = (await told('search_files', { q: 'number 3' })).data.split('\n');
  expect(JSON.parse(found ?? '')).toMatchObject({ path: '/page-3.html', line: 1 });
  const commits = (await allLines('list_commits', { limit: 2 })).map((line) => JSON.parse(line));
  expect(commits.map(({ message }) => message)).toEqual(
    expect.arrayContaining([4, 3, 2, 1, 0].map((n) => `Write page-${n}.html`)),
  );
  expect(new Set(commits.map(({ sha }) => sha)).size).toBe(commits.length);
});

test('an agent deploys, follows the log line by line, and makes another deployment the live one', async () => {
  await told('write_file', { path: '/index.html', content: '<h1>Hello</h1>\n' });
  const first = await deployed({});
  await succeeded(first);
  const lines = await allLines('read_deployment_logs', { deployment_id: first, limit: 1 });
  expect(lines.length).toBeGreaterThan(1);
  const numbers = lines.map((line) => Number.parseInt(line, 10));
  expect(numbers).toEqual(numbers.map((_number, index) => (numbers[0] ?? 0) + index));
  const preview = await deployed({ environment: 'preview' });
  await succeeded(preview);
  const promoted = await told('change_deployment', { deployment_id: preview, action: 'promote' });
  expect(JSON.parse(promoted.data)).toMatchObject({ id: preview, is_live: true });
  const listed = (await allLines('list_deployments', { limit: 1 })).map((line) => JSON.parse(line));
  expect(listed.map(({ id }) => id)).toEqual([preview, first]);
  const late = await agent.call('change_deployment', { deployment_id: first, action: 'cancel' });
  expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/^CONFLICT: /) });
});

test('an agent sees what was sent to a webhook, and sends it again', async () => {
  const at = receiver.at('/agent');
  const fields = { url: at.url, project_id: place.projectId, events: ['file.*'] };
  const { webhook_id } = await createWebhook(service, place.user, fields);
  await told('write_file', { path: '/told.txt', content: 'x' });
  await at.nth(0);
  const settled = () =>
    waitFor('it is delivered', async () => {
      const deliveries = (await allLines('list_deliveries', { webhook_id, limit: 1 })).map((line) => JSON.parse(line));
      return deliveries.length > 0 && deliveries.every(({ status }) => status === 'success') && deliveries;
    });
  const [{ delivery_id }] = (await settled()) as [{ delivery_id: string }];
  await told('redeliver', { webhook_id, delivery_id });
  await at.nth(1);
  expect(await settled()).toHaveLength(2);
  expect((await told('list_webhooks')).data).not.toMatch(/whsec_|"secret"/);
});
