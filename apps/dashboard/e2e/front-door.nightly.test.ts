import { afterAll, expect, test } from 'vitest';
import { signIn } from '../../server/src/testing/clients/browser.ts';
import { startMailServer } from '../../server/src/testing/parts/mail-server.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const mail = await startMailServer();
const mailing = useTestService({ settings: { BOTTEGA_SMTP_URL: mail.url } });
afterAll(() => mail.close());

describeInBrowser('the front door', () => {
  test('the first screen needs less than 250 KiB, and less than 64 KiB of fonts that do not delay it, in German too', async () => {
    const page = await browser.open(service.url, { language: 'de-AT' });
    const [sizes, fonts]: [Promise<number>[], Promise<number>[]] = [[], []];
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
      (request.resourceType() === 'font' ? fonts : sizes).push(size);
    });
    await page.goto('/sign-in', { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const total = async (all: Promise<number>[]) => (await Promise.all(all)).reduce((sum, size) => sum + size, 0);
    const bytes = await total(sizes);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(250 * 1024);
    const ofFonts = await total(fonts);
    expect(ofFonts).toBeGreaterThan(0);
    expect(ofFonts).toBeLessThan(64 * 1024);
  });

  test('when mail is set up, an address is confirmed by a mailed link before the first sign-in', async () => {
    const page = await browser.open(mailing.url);
    await page.goto('/sign-up');
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await look(page, 'sign-up-sent');
    const token = await mail.tokenFor('grace@example.com', 'Confirm your e-mail address');
    await page.goto(`/verify-email#token=${token}`);
    await page.getByText('grace@example.com is confirmed').waitFor();
    expect(page.url()).not.toContain(token);
    await look(page, 'verify-email');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor();
  });

  test('a forgotten password is reset by a mailed link, which works once', async () => {
    const user = await mailing.createUser({ email: 'forgetful@example.com' });
    const page = await browser.open(mailing.url);
    await page.goto('/forgot-password');
    await page.getByLabel('E-mail').fill(user.email);
    await look(page, 'forgot-password');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('you will get a link to set a new password').waitFor();
    const token = await mail.tokenFor(user.email, 'Set a new password');
    await page.goto(`/reset-password#token=${token}`);
    await page.getByLabel('New password').fill('another odd phrase');
    await look(page, 'reset-password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Your new password is set').waitFor();
    expect((await signIn(mailing.url, { email: user.email, password: 'another odd phrase' })).status).toBe(200);
    await page.goto('/sign-in');
    await page.goto(`/reset-password#token=${token}`);
    await page.getByLabel('New password').fill('a third odd phrase');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('alert').waitFor();
  });

  test('a newcomer signs up, is welcomed, signs out and in again, and returns to the page of an opened link', async () => {
    const page = await browser.open(service.url);
    await page.goto('/');
    await page.waitForURL('**/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look(page, 'sign-in');

    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await look(page, 'sign-up');
    await page.getByRole('button', { name: 'Create account' }).click();
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
