import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('administration', () => {
  test('accounts are found, given a plan and rights, suspended and reinstated, and the audit log shows all of this', async () => {
    const admin = await service.createUser({ name: 'Anna', isAdmin: true });
    const user = await service.createUser({ name: 'Carl Clark', email: 'carl@example.com' });
    for (let number = 1; number <= 22; number++) await service.createUser({ name: `Person ${number}` });
    const page = await browser.open(service.url, { user: admin });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByText('24 accounts').waitFor();
    await look(page, 'admin-users');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    const search = page.getByLabel('Search by name, username or e-mail');
    await search.fill('clark');
    await page.getByText('1 account', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.value')).toBe('clark');
    await page.getByRole('link', { name: 'Carl Clark' }).click();
    await page.getByRole('heading', { name: 'Carl Clark' }).waitFor();

    await page.getByLabel('Plan', { exact: true }).selectOption('pro');
    await page.getByLabel(/Ends on/).fill('2030-01-31');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make administrator' }).click();
    await page.getByRole('switch', { name: 'Administrator', checked: true }).waitFor();
    const stored = () => call('GET', `${service.url}/v1/admin/users/${user.id}`, { token: admin.key });
    expect((await stored()).body).toMatchObject({
      is_admin: true,
      subscription: { plan: 'pro', status: 'active', expires_at: '2030-01-31T23:59:59.000Z' },
    });
    await page.getByRole('button', { name: 'Suspend account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend account' }).click();
    await page.getByText('Carl Clark is suspended').waitFor();
    expect((await call('GET', `${service.url}/v1/user`, { token: user.key })).status).toBe(401);
    await look(page, 'admin-user');
    await page.getByRole('button', { name: 'Reinstate account' }).click();
    await page.getByRole('button', { name: 'Suspend account' }).waitFor();
    expect((await call('GET', `${service.url}/v1/user`, { token: user.key })).status).toBe(200);

    await page.getByRole('link', { name: 'Show all activity for this account' }).click();
    const log = page.getByRole('region', { name: 'Audit log' });
    await log.getByText('An administrator suspended an account').waitFor();
    await look(page, 'admin-audit');
    await page.getByLabel('Action').selectOption('user.reinstated');
    await page.getByText('1 entry').waitFor();
    await page.getByRole('tab', { name: 'Plans' }).click();
    await page.getByRole('link', { name: '1: show accounts with the pro plan' }).waitFor();
    await look(page, 'admin-plans');
  });

  test('the usage of all accounts is drawn by day, and the number of accounts is drawn as the latest figure', async () => {
    const admin = await service.createUser({ isAdmin: true });
    await service.pool.query(
      `insert into usage_totals (day, deployments, build_ms, projects, stored_bytes, accounts)
       select (now() at time zone 'UTC')::date - ago, ago, ago * 60000, 3, ago * 1000000, 5 from generate_series(1, 20) ago`,
    );
    const page = await browser.open(service.url, { user: admin, width: 1440 });
    await page.goto('/admin/health');
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByRole('img', { name: 'Deployments: 210 in total, maximum: 20' }).waitFor();
    await page.getByRole('img', { name: /^Accounts: 5 now/ }).waitFor();
    await look(page, 'admin-usage');
  });

  test('the health of the service is shown, and problems are explained in words, on a phone too', async () => {
    const admin = await service.createUser({ name: 'Anna', isAdmin: true });
    const page = await browser.open(service.url, { user: admin });
    await page.goto('/admin/health');
    await page.getByRole('heading', { name: 'All systems are healthy' }).waitFor();
    await look(page, 'admin-health');
    await service.pool.query(
      "select graphile_worker.add_job('mail:send', '{}', run_at => now() + interval '1 hour', max_attempts => 1)",
    );
    await service.pool.query('update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1');
    await page.getByText('mail:send: all attempts failed for 1 job.').waitFor();
    await page.setViewportSize({ width: 375, height: 740 });
    await lookOnPhone(page, 'admin-health-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    for (const place of ['users', 'plans', 'audit', `users/${admin.id}`]) {
      await page.goto(`/admin/${place}`);
      await page.getByRole('main').locator('table').first().waitFor();
      if (place.startsWith('users'))
        await lookOnPhone(page, place === 'users' ? 'admin-users-phone' : 'admin-user-phone');
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), place).toBe(0);
    }
  });

  test('other users are told that the page is for administrators only, and see no link to it', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    await page.goto('/admin/users');
    await page.getByText('Only administrators can open this page').waitFor();
    await look(page, 'admin-not-yours');
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });
});
