import { expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const ofGuide = { follows: 'data-theme' };

const firstFound = [
  ['getting started', 'Getting started'],
  ['rollback', 'Deployments'],
  ['port', 'Workspaces'],
  ['custom domain', 'Custom domains'],
  ['node version', 'Deployments'],
  ['webhook signature', 'Webhooks'],
  ['workspace', 'Workspaces'],
  ['merge request', 'Merge requests'],
] as const;

describeInBrowser('the guide', () => {
  test('is opened from the dashboard, read, and searched without the internet', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor();
    await look(page, 'guide', ofGuide);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByPlaceholder('Search').fill('passphrase');
    const found = page.getByRole('dialog', { name: 'Search' });
    await found.getByRole('link', { name: 'Backup and restore' }).first().click();
    await page.getByRole('heading', { name: 'Backup and restore', level: 1 }).waitFor();
    // The page's own script does that a moment after it is shown.
    const isFocusable =
      "[...document.querySelectorAll('pre')].every((one) => one.scrollWidth <= one.clientWidth || one.tabIndex === 0)";
    await waitFor('code that scrolls can be focused', () => page.evaluate<boolean>(isFocusable));
    await look(page, 'guide-page', ofGuide);
    await page.setViewportSize({ width: 390, height: 840 });
    await lookOnPhone(page, 'guide-page-phone', ofGuide);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });

  test('begins with the quickstart, and the search finds the right page first', async () => {
    const page = await browser.open(service.url);
    await page.goto('/guide/');
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect((await menu.getByRole('link').first().textContent())?.trim()).toBe('Getting started');
    await page.getByRole('button', { name: 'Search' }).click();
    const found = page.getByRole('dialog', { name: 'Search' });
    for (const [words, title] of firstFound) {
      await page.getByPlaceholder('Search').fill(words);
      await found.getByText(`for ${words}`).waitFor();
      const first = found.locator('.pagefind-ui__result-title .pagefind-ui__result-link').first();
      await waitFor(`${words} finds ${title}`, async () => (await first.textContent())?.trim() === title);
    }
  });
});
