import type { NewApiKey } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { useForeignServer } from '../../server/src/repository/smart-http/git-server.fixture.ts';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { setVariable } from '../../server/src/testing/samples/sample-deployments.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { codeOf } from './authenticator.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const git = useGitClient(service);
const foreign = useForeignServer(git.root);

describeInBrowser('settings', () => {
  test('the profile, the theme and the language are stored with the account and take effect at once', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const page = await browser.open(service.url, { user });
    await page.goto('/settings/profile');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    await look(page, 'profile');
    await page.getByText('Dark', { exact: true }).click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.reload();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    const { body } = await call('GET', `${service.url}/v1/user`, { token: user.key });
    expect(body).toMatchObject({ name: 'Ada Lovelace', preferences: { theme: 'dark', language: 'de' } });
  });

  test('a preference that could not be stored is shown as it was', async () => {
    const page = await browser.open(service.url, { user: await service.createUser({ name: 'Ada' }) });
    await page.goto('/settings/profile');
    const mail = page.getByRole('switch', { name: 'E-mail me about activity in my projects' });
    const before = await mail.isChecked();
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests', details: {} };
    await page.route(/\/v1\/user$/, (route) => route.fulfill({ status: 429, json: { error } }));
    await mail.click();
    await page.getByText('Too many requests').waitFor();
    expect(await mail.isChecked()).toBe(before);
  });

  test('what is typed into the settings of a project stays when another setting is changed', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const { id } = await createProject(service, user, { name: 'Loom' });
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${id}/settings`);
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Weaves text');
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    const reloaded = changed.then(() => page.waitForResponse((answer) => answer.url().endsWith(`/projects/${id}`)));
    await page.getByRole('switch', { name: 'Public' }).click();
    await (await reloaded).finished();
    await page.getByRole('switch', { name: 'Public', checked: true }).waitFor();
    expect(await description.inputValue()).toBe('Weaves text');
  });

  test('the settings of a project never show the repository of another', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const imported = (name: string) =>
      createProject(service, user, { name, repository: { url: `${foreign.url}/${name}` } });
    const [loom, shuttle] = [await imported('loom'), await imported('shuttle')];
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${loom.id}/settings`);
    const address = page.getByLabel('URL', { exact: true });
    await address.waitFor();
    // The list of the browser's back button leads from page to page in the same way.
    await page.evaluate(`history.pushState(null, '', '/projects/${shuttle.id}/settings')`);
    await waitFor('the other address', async () => (await address.inputValue()) === `${foreign.url}/shuttle`);
  });

  test('a secret variable of a project is saved only with a value', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const { id } = await createProject(service, user, { name: 'Loom' });
    await setVariable({ service, user, projectId: id }, 'TOKEN', { value: 'hidden' });
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${id}/settings`);
    await page.getByRole('button', { name: 'Edit: TOKEN' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Secret').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('textarea:invalid').fill('shown');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'TOKEN' }).getByText('shown').waitFor();
  });

  test('an API key is created with chosen rights, shown once, works, and is refused once it is revoked', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    await page.goto('/settings/keys');
    await page.getByLabel('Name', { exact: true }).fill('laptop');
    await page.getByLabel('Only selected scopes').check();
    await page.getByLabel('read:projects').check();
    await look(page, 'new-key');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByLabel('New API key', { exact: true }).textContent()) ?? '';
    await look(page, 'keys');
    expect((await call('GET', `${service.url}/v1/projects`, { token: key })).status).toBe(200);
    expect((await call('GET', `${service.url}/v1/user`, { token: key })).status).toBe(403);
    await page.getByRole('button', { name: 'Revoke: laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked laptop').waitFor();
    expect((await call('GET', `${service.url}/v1/projects`, { token: key })).status).toBe(401);
  });

  test('an API key is replaced: the new key is shown once, and the former key works for another day', async () => {
    const user = await service.createUser();
    const json = { name: 'build server', scopes: ['read:projects'] };
    const { body: former } = await call<NewApiKey>('POST', `${service.url}/v1/user/api-keys`, {
      token: user.key,
      json,
    });
    const page = await browser.open(service.url, { user });
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Replace: build server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    const key = (await page.getByLabel('New API key', { exact: true }).textContent()) ?? '';
    await look(page, 'replaced-key');
    expect(key).not.toBe(former.key);
    for (const token of [key, former.key]) {
      expect((await call('GET', `${service.url}/v1/projects`, { token })).status).toBe(200);
      expect((await call('GET', `${service.url}/v1/user`, { token })).status).toBe(403);
    }
    await page.getByText('in 24 hours').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(await page.getByRole('button', { name: 'Replace: build server' }).count()).toBe(2);
  });

  test('a second factor is set up, required at the next sign-in, and recorded in the audit log', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByLabel('Confirm with your password').fill('correct horse');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await look(page, 'second-factor');
    await page.getByLabel('Six-digit code').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Save these recovery codes').waitFor();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await look(page, 'security');

    const other = await browser.open(service.url);
    await other.goto('/sign-in');
    await other.getByLabel('E-mail').fill(user.email);
    await other.getByLabel('Password', { exact: true }).fill('correct horse');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Second factor' }).waitFor();
    await look(other, 'sign-in-code');
    await other.getByLabel('Code').fill(codeOf(secret, 1));
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.waitForURL('**/welcome');

    await page.reload();
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('Session ended').waitFor();
    await page.goto('/settings/audit');
    await page.getByText('user.second_factor_enabled').waitFor();
    await look(page, 'audit');
  });

  test('the usage of the account is drawn by day, for one month or three, and also shown as a table', async () => {
    const user = await service.createUser();
    const values = Array.from({ length: 89 }, (_, ago) => [
      ago + 1,
      (ago * 7) % 5,
      (ago * 91_000) % 400_000,
      ago * 9e6,
    ]);
    await service.pool.query(
      `insert into usage_days (user_id, day, deployments, build_ms, projects, stored_bytes)
       select $1, (now() at time zone 'UTC')::date - v.ago, v.deployments, v.ms, 2, v.bytes
       from unnest($2::int[], $3::int[], $4::bigint[], $5::bigint[]) as v(ago, deployments, ms, bytes)`,
      [user.id, ...[0, 1, 2, 3].map((index) => values.map((row) => row[index]))],
    );
    const page = await browser.open(service.url, { user, width: 1440 });
    await page.goto('/settings/usage');
    const chart = page.getByRole('img', { name: /^Deployments: \d+ in total, maximum: 4$/ });
    await chart.waitFor();
    expect(await chart.locator('g').count()).toBe(30);
    await look(page, 'usage');
    await page.getByText('90 days', { exact: true }).click();
    await page.waitForURL(/days=90/);
    await expect.poll(() => chart.locator('g').count()).toBe(90);
    await page.getByText('Show as a table').click();
    await page.getByRole('columnheader', { name: 'Build time' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(91);
    await look(page, 'usage-table');
    await page.setViewportSize({ width: 390, height: 840 });
    await page.reload();
    await chart.waitFor();
    await lookOnPhone(page, 'usage-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });
});
