import type { Webhook } from '@bottega/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useReceiver } from '../../server/src/testing/clients/webhook-receiver.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks, settledDeliveries } from '../../server/src/testing/samples/sample-webhooks.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const receiver = useReceiver();

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
const idIn = (page: Page) => /whk_\w+/.exec(page.url())?.[0] ?? '';

describeInBrowser('webhooks', () => {
  test('a webhook is created with the event picker, delivers, shows request and response of each attempt, and redelivers', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const place = receiver.at('/hooks');
    receiver.reply('/hooks', { status: 503, headers: { 'content-type': 'application/json' }, body: '{"busy":true}' });
    const page = await browser.open(service.url, { user });
    await page.goto('/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await look(page, 'webhooks-empty');
    await page.getByRole('main').getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Build log');
    await page.getByLabel('URL', { exact: true }).fill(place.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Choose at least one event').waitFor();
    await page.getByRole('checkbox', { name: 'collaboration.invited' }).check();
    await page.getByRole('radio', { name: /^Core/ }).check();
    await page.getByText('Example message: collaborator.invited').waitFor();
    expect(await page.getByRole('checkbox', { name: 'collaborator.invited' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'collaborator.invited' }).uncheck();
    await page.getByRole('checkbox', { name: 'project.created' }).check();
    await page.getByRole('checkbox', { name: 'All file events' }).check();
    await page.getByText('2 selected').waitFor();
    await look(page, 'new-webhook');
    await page.getByRole('button', { name: 'Delivery, headers and filters' }).click();
    await page.getByLabel('Maximum attempts').fill('2');
    await page.getByLabel('First delay (ms)').fill('10');
    await page.getByText('Retries after 0.01 sec.').waitFor();
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Name of header 1').fill('X-Team');
    await page.getByLabel('Value of header 1').fill('garden');
    await page.getByRole('button', { name: 'Create webhook' }).scrollIntoViewIfNeeded();
    await look(page, 'new-webhook-more');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Webhook created').waitFor();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await look(page, 'webhook-created');
    await page.getByRole('link', { name: 'Go to deliveries' }).click();
    await page.getByText('No deliveries yet').waitFor();
    const id = idIn(page);
    const stored = await onWebhooks<Webhook>(service, user, ['GET', `/${id}`]);
    expect(stored.body).toMatchObject({
      events: ['project.created', 'file.*'],
      format: 'core',
      headers: { 'X-Team': 'garden' },
      retry_policy: { max_attempts: 2, initial_delay: 10, backoff_strategy: 'exponential' },
      secret,
    });

    await createProject(service, user, { name: 'Lighthouse' });
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    await page.getByRole('link', { name: 'project.created' }).click();
    await page.getByText('All attempts failed.').waitFor();
    await page.getByRole('button', { name: /Attempt 1/ }).waitFor();
    const attempt = page.getByRole('region', { name: /Attempt 2/ });
    await attempt.getByText('"name": "Lighthouse"').waitFor();
    await attempt.getByText('"busy": true').waitFor();
    await look(page, 'delivery-failed');
    receiver.reply('/hooks', { status: 200, body: 'thanks' });
    const failedAt = page.url();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.waitForURL((url) => url.href !== failedAt);
    await page.getByRole('status').getByText('Delivered').waitFor();
    await page
      .getByRole('region', { name: /Attempt 1/ })
      .getByText('thanks')
      .waitFor();
    expect((await place.nth(2)).headers['x-team']).toBe('garden');
    expect(place.received[2]?.headers['webhook-id']).toBe(place.received[0]?.headers['webhook-id']);
  });

  test('a webhook is tested, brought up to date after a pause, measured, changed, given a new secret and deleted', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const place = receiver.at('/hooks-of-others');
    receiver.reply('/hooks-of-others', (_received, index) => ({ status: index === 0 ? 404 : 200 }));
    const stored = await createWebhook(service, user, {
      url: place.url,
      name: 'Build log',
      format: 'core',
      events: ['project.created', 'file.*'],
    });
    const { webhook_id: id, secret } = stored;
    await createProject(service, user, { name: 'Lighthouse' });
    await settledDeliveries(service, user, { id, count: 1 });
    const page = await browser.open(service.url, { user });
    await page.goto(`/webhooks/${id}`);
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    await page.getByRole('link', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Data').fill('{"a": ');
    await dialog.getByText('This is not a JSON object').waitFor();
    await dialog.getByLabel('Event').selectOption('file.created');
    await dialog.getByRole('button', { name: 'Insert example' }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('The test was delivered').waitFor();
    await look(page, 'webhook-test');
    expect((await place.nth(1)).json).toMatchObject({ event: 'file.created' });
    await page.keyboard.press('Escape');

    // Events while it is off are redelivered afterwards.
    await page.getByRole('switch', { name: 'Active' }).click();
    await page.getByRole('switch', { name: 'Active', checked: false }).waitFor();
    await expect
      .poll(async () => (await onWebhooks<Webhook>(service, user, ['GET', `/${id}`])).body.active)
      .toBe(false);
    await createProject(service, user, { name: 'Harbour' });
    await page.getByRole('switch', { name: 'Active' }).click();
    await expect.poll(async () => (await onWebhooks<Webhook>(service, user, ['GET', `/${id}`])).body.active).toBe(true);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('menuitem', { name: 'Recover missed events' }).click();
    await page.waitForURL(/dialog=missed/);
    await dialog.getByLabel('Since').fill('2026-01-01T00:00');
    await dialog.getByRole('button', { name: 'Deliver' }).click();
    await dialog.getByText('2 deliveries are scheduled').waitFor();
    await look(page, 'webhook-recover');
    await page.keyboard.press('Escape');
    await place.nth(3);
    const recovered = place.received.slice(2).map(({ body }) => /Lighthouse|Harbour/.exec(body)?.[0]);
    expect(recovered.sort()).toEqual(['Harbour', 'Lighthouse']);
    await page.getByText('Recovery').first().waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.waitForURL(/status=failed/);
    await page.getByText('1 delivery', { exact: true }).waitFor();
    await page.getByLabel('Event').selectOption('project.deleted');
    await page.getByText('No matches').waitFor();
    await page.goto(`/webhooks/${id}/deliveries?from=2026-01-01`);
    await page.getByText('4 deliveries', { exact: true }).waitFor();
    await look(page, 'deliveries');
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByRole('region', { name: 'Deliveries per day' }).locator('svg.recharts-surface').first().waitFor();
    await page.getByText('75%').first().waitFor();
    await page.getByText('p99').first().waitFor();
    await look(page, 'figures');

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'All deployment events' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await look(page, 'webhook-settings');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('This is the new secret').waitFor();
    const now = await onWebhooks<Webhook>(service, user, ['GET', `/${id}`]);
    expect(await page.getByLabel('Secret', { exact: true }).textContent()).toBe(now.body.secret);
    expect(now.body.secret).not.toBe(secret);
    expect(now.body.events).toEqual(['project.created', 'file.*', 'deployment.*']);
    expect(now.body.retry_policy).toEqual(stored.retry_policy);
    await page.goto('/webhooks');
    await page.getByRole('link', { name: 'Build log' }).waitFor();
    await look(page, 'webhooks');
    await page.goto(`/webhooks/${id}/settings`);
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect((await onWebhooks(service, user, ['GET', `/${id}`])).status).toBe(404);
  });

  test('webhooks of a project are in the project; refusals are explained in words, and every screen fits on a phone', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const project = await createProject(service, user, { name: 'Pocket' });
    const { url } = receiver.at('/pocket');
    const page = await browser.open(service.url, { user, width: 375, height: 740 });
    await page.goto(`/projects/${project.id}/webhooks`);
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Phone');
    await expect.poll(() => page.getByLabel('Events from', { exact: true }).inputValue()).toBe(project.id);
    await page.getByLabel('URL', { exact: true }).fill('http://example.com/');
    await page.getByRole('checkbox', { name: 'All events, including future ones' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page
      .getByRole('alert')
      .getByText(/must be an https address/)
      .waitFor();
    expect(await overflow(page)).toBe(0);
    await lookOnPhone(page, 'new-webhook-phone');

    const { webhook_id: id } = await createWebhook(service, user, {
      url,
      name: 'Phone',
      project_id: project.id,
      events: ['*'],
    });
    await onWebhooks(service, user, ['POST', `/${id}/test`]);
    const [delivery] = await settledDeliveries(service, user, { id, count: 1 });
    for (const [path, name, text] of [
      [`/projects/${project.id}/webhooks`, 'project-webhooks-phone', 'Phone'],
      [`/webhooks/${id}/deliveries`, 'deliveries-phone', /^Test$/],
      [`/webhooks/${id}/deliveries/${delivery?.delivery_id}`, 'delivery-phone', 'Attempt 1'],
      [`/webhooks/${id}/figures?period=month`, 'figures-phone', 'Deliveries per day'],
      [`/webhooks/${id}/settings`, 'webhook-settings-phone', 'All events, including future ones'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('tabpanel').getByText(text).first().waitFor();
      await lookOnPhone(page, name);
      expect(await overflow(page), name).toBe(0);
    }
    await page.goto(`/webhooks/${id}/deliveries/dlv_01jd2m6vz8e3r9x5k7q4w1t0ab`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});
