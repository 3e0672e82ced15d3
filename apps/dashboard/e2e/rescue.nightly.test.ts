import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedInBrowser, signIn, testPassword } from '../../server/src/testing/clients/browser.ts';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { createProject, onProject } from '../../server/src/testing/samples/sample-projects.ts';
import { startSession } from '../../server/src/testing/samples/sample-sessions.ts';
import { createWebhook, onWebhooks } from '../../server/src/testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../server/src/testing/service/test-service.ts';
import { codeOf } from './authenticator.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: { BOTTEGA_PROJECT_LIMIT_FREE: '3' } });
const browser = useBrowser();

const phone = { width: 390, height: 800 };
const isNotWider = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);

async function confirmWithPassword(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Confirm with your password').fill(testPassword);
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function setUpSecondFactor(user: TestUser): Promise<void> {
  const { ask } = await signedInBrowser(service.url, user);
  const begun = await ask<{ secret: string }>('POST', '/auth/second-factor', { json: { password: testPassword } });
  await ask('POST', '/auth/second-factor/confirm', { json: { code: codeOf(begun.body.secret) } });
}

describeInBrowser('the trash', () => {
  test('lists deleted projects, which can be restored if the plan has room for them, or deleted for good', async () => {
    const user = await service.createUser({ name: 'Tina' });
    const [kept, old] = [
      await createProject(service, user, { name: 'Kept', description: 'A shop' }),
      await createProject(service, user, { name: 'Old things' }),
    ];
    for (const { id } of [kept, old]) await onProject(service, user, id, ['DELETE']);
    const page = await browser.open(service.url, { user, width: 1440, height: 900 });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('2 deleted projects').waitFor();
    await look(page, 'trash');

    await page.getByRole('button', { name: 'Restore: Kept' }).click();
    await page.getByText('Restored Kept', { exact: true }).waitFor();
    await page.waitForURL(new RegExp(`/projects/${kept.id}`));

    for (const name of ['B', 'C']) await createProject(service, user, { name });
    await page.goto('/trash');
    await page.getByRole('button', { name: 'Restore: Old things' }).click();
    await page.getByText('Your plan has no room for this project.').waitFor();

    await page.getByRole('button', { name: 'Delete for good: Old things' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type Old things to confirm').fill('Old things');
    await look(page, 'trash-purge');
    await page.keyboard.press('Enter');
    await page.getByText('The trash is empty').waitFor();
    await waitFor('the project is gone', async () => {
      const rows = await service.db.selectFrom('projects').select('id').where('id', '=', old.id).execute();
      return rows.length === 0;
    });
  });

  test('is shown in German, on a phone', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user, { name: 'Ein Projekt mit einem recht langen Namen' });
    await onProject(service, user, id, ['DELETE']);
    const json = { preferences: { language: 'de' } };
    await call('PATCH', `${service.url}/v1/user`, { token: user.key, json });
    const page = await browser.open(service.url, { user, ...phone, language: 'de' });
    await page.goto('/trash');
    await page.getByText('1 gelöschtes Projekt').waitFor();
    await lookOnPhone(page, 'trash-phone');
    await isNotWider(page);
  });
});

describeInBrowser('help with the sign-in', () => {
  test('an administrator creates a link that sets a new password, and removes a second factor', async () => {
    const admin = await service.createUser({ name: 'Anna', isAdmin: true });
    const user = await service.createUser({ name: 'Carl Clark', email: 'carl@example.com' });
    await setUpSecondFactor(user);
    const page = await browser.open(service.url, { user: admin, width: 1440, height: 900 });
    await page.goto(`/admin/users/${user.id}`);
    await page.getByRole('button', { name: 'Create reset link' }).click();
    await confirmWithPassword(page, 'Create reset link');
    const link = await page.getByLabel('Reset link', { exact: true }).innerText();
    await look(page, 'admin-reset-link');
    await page.getByRole('button', { name: 'Remove second factor' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove second factor' }).click();
    await confirmWithPassword(page, 'Remove second factor');
    await page.getByText('This account has no second factor.').waitFor();
    await page.getByText('An administrator removed the second factor').waitFor();

    const carl = await browser.open(service.url);
    await carl.goto('/sign-in');
    await carl.getByRole('link', { name: 'Forgot your password?' }).click();
    await carl.getByText('Ask your administrator for a reset link.').waitFor();
    await carl.goto(link);
    await carl.getByLabel('New password').fill('a phrase of my very own');
    await carl.getByRole('button', { name: 'Set password' }).click();
    await carl.getByText('Your new password is set.').waitFor();
    const again = { email: user.email, password: 'a phrase of my very own' };
    expect((await signIn(service.url, again)).status).toBe(200);
  });

  test('an administrator creates an account, and its owner sets the password', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const page = await browser.open(service.url, { user: admin, ...phone });
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nora New');
    await dialog.getByLabel('E-mail').fill('nora@example.com');
    await lookOnPhone(page, 'admin-new-account-phone');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    const link = await dialog.getByLabel('Reset link', { exact: true }).innerText();
    expect(link).toMatch(/reset-password#token=/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Nora New' }).waitFor();
    await isNotWider(page);
  });
});

describeInBrowser('administration', () => {
  test('shows all projects with owner and size, restores a project, and names accounts in the audit log', async () => {
    const admin = await service.createUser({ name: 'Anna', isAdmin: true });
    const olga = await service.createUser({ name: 'Olga Owner' });
    const { id } = await createProject(service, olga, { name: 'Lost and found' });
    await onProject(service, olga, id, ['DELETE']);
    const page = await browser.open(service.url, { user: admin, width: 1440, height: 900 });
    await page.goto('/admin/users');
    await page.getByRole('tab', { name: 'Projects' }).click();
    await page.getByLabel('Status').selectOption('deleted');
    await page.getByText('Lost and found').waitFor();
    await look(page, 'admin-projects');
    await page.getByRole('button', { name: 'Restore: Lost and found' }).click();
    await page.getByText('Restored Lost and found').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const log = page.getByRole('region', { name: 'Audit log' });
    const row = log.getByRole('row').filter({ hasText: 'A deleted project was restored' });
    await row.getByRole('link', { name: 'Olga Owner' }).waitFor();
    await row.getByRole('link', { name: 'Anna' }).waitFor();
    await row.getByText('Lost and found').first().waitFor();
    await look(page, 'admin-audit-names');
    await page.setViewportSize(phone);
    await page.goto('/admin/projects');
    await page.getByText('Lost and found').waitFor();
    await lookOnPhone(page, 'admin-projects-phone');
    await isNotWider(page);
  });

  test('the health of the service shows no figure twice, and tells whether mail is set up', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const page = await browser.open(service.url, { user: admin });
    await page.goto('/admin/health');
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Live sockets' }) });
    await card.getByText('All nodes: Live sockets').waitFor();
    const labels = await card.locator('p').allInnerTexts();
    const names = labels.filter((_text, index) => index % 2 === 0);
    expect(new Set(names).size).toBe(names.length);
    const mail = page.locator('section').filter({ has: page.getByRole('heading', { name: 'E-mail' }) });
    await mail.getByText('Configured').waitFor();
    await mail.getByText('no', { exact: true }).waitFor();
    await look(page, 'admin-health-mail');
  });
});

describeInBrowser('invitations without mail', () => {
  test('the inviter gets a link to share, and the sign-in tells a stranger what the invitation is for', async () => {
    const owner = await service.createUser({ name: 'Olga' });
    const { id } = await createProject(service, owner, { name: 'Garden plans' });
    const page = await browser.open(service.url, { user: owner });
    await page.goto(`/projects/${id}/people`);
    await page.getByText('This service does not send e-mail').first().waitFor();
    await page.getByLabel('E-mail', { exact: true }).fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Create invitation link' }).click();
    const link = await page.getByLabel('Invitation link', { exact: true }).innerText();
    await page.getByRole('button', { name: 'New link: newcomer@example.com' }).waitFor();
    await look(page, 'invite-link');

    const guest = await browser.open(service.url, phone);
    await guest.goto(link);
    await guest.getByText('Olga invited you to Garden plans.').waitFor();
    await lookOnPhone(guest, 'sign-in-invited-phone');
    await guest.getByRole('link', { name: 'Create account' }).click();
    await guest.getByText('Olga invited you to Garden plans.').waitFor();
    await guest.getByLabel('Name').fill('Newcomer');
    await guest.getByLabel('E-mail').fill('newcomer@example.com');
    await guest.getByLabel('Password', { exact: true }).fill('a phrase of my very own');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.getByRole('button', { name: 'Accept' }).waitFor();
    // The address alone proves nothing, and the list says so.
    await guest.goto('/invitations');
    await guest.getByText('Your e-mail address is not confirmed').waitFor();
    await lookOnPhone(guest, 'invitations-unproven-phone');
    await guest.goto(link);
    await guest.getByRole('button', { name: 'Accept' }).click();
    await guest.waitForURL(new RegExp(`/projects/${id}`));
  });

  test('the link of a live session tells its host and project; an invalid link tells nothing', async () => {
    const host = await service.createUser({ name: 'Hanna' });
    const { id } = await createProject(service, host, { name: 'Pairing' });
    const session = await startSession(service, host, { workspace_id: id, name: 'Tuesday' });
    const page = await browser.open(service.url);
    await page.goto(session.invite_link ?? '');
    await page.getByText('Hanna invited you to the live session Tuesday in Pairing.').waitFor();
    await look(page, 'sign-in-session');
    await page.goto(`/invitations/${'A'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('invited you').count()).toBe(0);
  });
});

describeInBrowser('public projects', () => {
  test('are found and read by everybody, without the addresses of their members and without their operations', async () => {
    const owner = await service.createUser({ name: 'Olga', email: 'olga.private@example.com' });
    const settings = { public: true };
    await createProject(service, owner, { name: 'Weather station', description: 'Sensors and charts', settings });
    await createProject(service, owner, { name: 'Recipes', settings });
    const page = await browser.open(service.url, { user: await service.createUser(), width: 1440, height: 900 });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.getByText('2 public projects').waitFor();
    await look(page, 'explore');
    await page.getByLabel('Search by name or description').fill('sensors');
    await page.getByText('1 public project', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Weather station' }).click();
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByText('Olga', { exact: true }).first().waitFor();
    expect(await page.getByText('olga.private@example.com').count()).toBe(0);
    await look(page, 'people-outside');
    for (const name of ['Deployments', 'Domains', 'Webhooks']) {
      expect(await page.getByRole('tab', { name }).count()).toBe(0);
      await page.goto(page.url().replace(/\/[a-z]+$/, `/${name.toLowerCase()}`));
      await page.getByText('Only for members of this project').waitFor();
    }
    await look(page, 'operations-outside');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Every signed-in user can see files').waitFor();
    expect(await page.getByRole('heading', { name: 'Variables' }).count()).toBe(0);
    await page.setViewportSize(phone);
    await page.goto('/explore');
    await page.getByText('2 public projects').waitFor();
    await lookOnPhone(page, 'explore-phone');
    await isNotWider(page);
  });
});

describeInBrowser('deliveries of a webhook', () => {
  test('that are filtered by status are counted, without the success rate of all deliveries', async () => {
    const user = await service.createUser();
    const { webhook_id: id } = await createWebhook(service, user, {
      url: 'http://127.0.0.1:1/',
      events: ['project.created'],
    });
    await onWebhooks(service, user, ['POST', `/${id}/test`]);
    const page = await browser.open(service.url, { user });
    await page.goto(`/webhooks/${id}/deliveries`);
    await page.getByText(/^1 delivery, .* successful$/).waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('1 delivery', { exact: true }).waitFor();
  });
});
