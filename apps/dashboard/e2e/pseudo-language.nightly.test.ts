import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OauthApp } from '@bottega/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { useReceiver } from '../../server/src/testing/clients/webhook-receiver.ts';
import { invite } from '../../server/src/testing/samples/sample-collaborators.ts';
import { deployed, projectOf, setVariable } from '../../server/src/testing/samples/sample-deployments.ts';
import { inProject } from '../../server/src/testing/samples/sample-files.ts';
import { sampleRequest, sampleRule } from '../../server/src/testing/samples/sample-merge-requests.ts';
import { createWebhook, settledDeliveries } from '../../server/src/testing/samples/sample-webhooks.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { obstacleTo } from './journeys/in-reach.ts';
import { buildWithPseudoLanguage } from './pseudo-build.ts';
import { untranslatedOn } from './untranslated.ts';

/*
 * Every text is accented and a third longer. What is still in English or German is not in a dictionary, or was not asked
 * from it, and what does not fit has no room for other languages.
 */

const folder = mkdtempSync(join(tmpdir(), 'bottega-pseudo-'));
beforeAll(() => buildWithPseudoLanguage(folder), 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

const service = useTestService({ dashboardIn: folder });
const browser = useBrowser();
const receiver = useReceiver();
const widths = [1440, 390] as const;

/** Somebody with some of everything, and the addresses of all screens. */
async function inhabited() {
  const owner = await service.createUser({ name: 'Ada', isAdmin: true });
  const own = (method: string, path: string, json: object) =>
    call<{ id: string }>(method, `${service.url}/v1${path}`, { token: owner.key, json });
  await own('PATCH', '/user', { preferences: { language: 'en-XA' } });
  const atHooks = receiver.at('/hooks');
  receiver.reply('/hooks', { status: 503, body: '' });
  const retry_policy = { max_attempts: 1 };
  const { webhook_id: webhook } = await createWebhook(service, owner, {
    url: atHooks.url,
    events: ['project.*'],
    retry_policy,
  });
  const place = await projectOf(service, { '/index.html': '<h1>x</h1>\n', '/src/a.ts': 'export {};\n' }, owner);
  const [delivery] = await settledDeliveries(service, owner, { id: webhook, count: 1 });
  const request = await sampleRequest(place);
  await sampleRule(place);
  await setVariable(place, 'TOKEN', { value: 'x', kind: 'secret', environments: ['production'] });
  const good = await deployed(place);
  const bad = await deployed(place, { output_directory: '/nowhere' });
  await inProject(place, 'POST', '/domains', { json: { domain: 'www.example.org' } });
  await invite(service, owner, place.projectId, { email: 'grace@example.com', role: 'editor' });
  const redirect_uris = ['https://app.example.com/back'];
  const app = await own('POST', '/oauth/apps', { name: 'Tidy', type: 'public', redirect_uris });
  return { owner, place, webhook, delivery, request, good, bad, app: app.body as unknown as OauthApp };
}

type Inhabited = Awaited<ReturnType<typeof inhabited>>;

const outside = ['/sign-in', '/sign-up', '/forgot-password', '/reset-password#token=x', '/verify-email#token=x'];

function addressesOf({ owner, place, webhook, delivery, request, good, bad, app }: Inhabited): string[] {
  const inside = ['/projects', '/explore', '/trash', '/new', '/notifications', '/reviews', '/invitations', '/welcome'];
  const settings = [
    'profile',
    'security',
    'connect',
    'keys',
    'services',
    'apps',
    `apps/${app.client_id}`,
    'authorized',
    'usage',
    'audit',
  ];
  const admin = ['users', `users/${owner.id}`, 'projects', 'plans', 'usage', 'health', 'audit'];
  const ofWebhook = ['deliveries', `deliveries/${delivery?.delivery_id}`, 'figures', 'settings'];
  const merging = ['merge-requests', 'merge-requests/new?source=proposed', `merge-requests/${request.number}`];
  const tabs = ['changes', 'checks'].map((tab) => `merge-requests/${request.number}?tab=${tab}`);
  const deploying = ['deployments', `deployments/${good.id}`, `deployments/${bad.id}`, 'domains'];
  const code = [
    'overview',
    'files?path=%2Fsrc%2Fa.ts',
    'history',
    'branches',
    'branches/compare?base=main&head=proposed',
  ];
  const ofProject = [...code, ...merging, ...tabs, ...deploying, 'people', 'webhooks', 'connect', 'settings'];
  return [
    ...inside,
    ...settings.map((path) => `/settings/${path}`),
    ...admin.map((path) => `/admin/${path}`),
    ...['/webhooks', '/webhooks/new', ...ofWebhook.map((path) => `/webhooks/${webhook}/${path}`)],
    ...ofProject.map((path) => `/projects/${place.projectId}/${path}`),
  ];
}

/** Actions that nobody can reach, and a page that is wider than the window. */
async function outOfReach(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const role of ['button', 'link', 'textbox', 'combobox', 'switch', 'checkbox', 'tab'] as const) {
    for (const target of await page.getByRole(role, { disabled: false }).all()) {
      if (!(await target.isVisible())) continue;
      let obstacle = await obstacleTo(target, { mayScroll: true });
      // The link that skips the menu comes into view with the focus.
      if (obstacle && role === 'link') {
        await target.focus();
        obstacle = await obstacleTo(target, { mayScroll: true });
      }
      if (obstacle)
        found.push(`${role} ${(await target.innerText()) || (await target.getAttribute('aria-label'))}: ${obstacle}`);
    }
  }
  return found;
}

/** What is wrong with the screens at these addresses, in both widths. */
async function findingsAt(page: Page, addresses: readonly string[]): Promise<Record<string, string[]>> {
  const findings: Record<string, string[]> = {};
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of addresses) {
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.locator('html[lang=en-XA]').waitFor({ state: 'attached' });
      await expect.poll(() => page.getByText(/[åçéîöû]{2}/).count()).toBeGreaterThan(0);
      const untranslated = (await untranslatedOn(page)).map((text) => `not translated: ${text}`);
      const wrong = [...untranslated, ...(await outOfReach(page))];
      if (wrong.length > 0) findings[`${width} ${address}`] = wrong;
    }
  }
  return findings;
}

describeInBrowser('the dashboard in a language with longer words', () => {
  test('translates every text before the sign-in, and every text fits', async () => {
    const page = await browser.open(service.url, { language: 'en-XA' });
    expect(await findingsAt(page, outside)).toEqual({});
  });

  test('translates every text after the sign-in, and every text fits', { timeout: 1_200_000 }, async () => {
    const all = await inhabited();
    const page = await browser.open(service.url, { user: all.owner });
    expect(await findingsAt(page, addressesOf(all))).toEqual({});
  });
});
