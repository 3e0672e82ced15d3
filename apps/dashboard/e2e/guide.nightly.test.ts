import { expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const ofGuide = { follows: 'data-theme' };

describeInBrowser('the guide', () => {
  test('is reached from the dashboard, read, and searched without the internet', async () => {
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
});
