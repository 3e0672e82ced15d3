import { expect, test } from 'vitest';
import { useTestService } from '../../server/src/testing/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('the front door', () => {
  test('a newcomer signs up, is welcomed, signs out and in again, and comes back to where a link led', async () => {
    const page = await browser.open(service.url);
    await page.goto('/');
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look(page, 'sign-in');

    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await look(page, 'sign-up');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await look(page, 'welcome');

    await page.getByRole('button', { name: 'Account of Ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/settings/usage');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    expect(await refusal.textContent()).toMatch(/req_/);
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/settings/usage');
    await page.getByRole('heading', { name: 'Plan: free' }).waitFor();
  });
});
