import { expect, test } from 'vitest';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const bySystem = { follows: null };

describeInBrowser('the page at /docs', () => {
  test('can be searched, read by link, and tried with a token', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url);
    await page.goto('/docs/#tag/projects/POST/v1/projects');
    const create = page.locator('details[data-path="/v1/projects"][data-method=POST]');
    await create.getByText('Leading and trailing white space is removed').waitFor();
    await create.locator('details.schema', { hasText: 'Project' }).first().locator('summary').click();
    await create.getByText('template_id', { exact: true }).waitFor();
    await page.getByLabel('Token').fill(user.key);
    await create.getByLabel('Body').fill('{"name": "It\'s from the reference"}');
    expect(await create.getByLabel('Example').textContent()).toContain(`-d '{"name": "It'\\''s from the reference"}'`);
    await create.getByRole('button', { name: 'Send' }).click();
    await create.getByText(/"name": "It's from the reference"/).waitFor();
    await look(page, 'reference', bySystem);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('share link');
    await page.getByText(/^\d+ found$/).waitFor();
    await create.waitFor({ state: 'hidden' });
    await page.goto('/docs/#schema/Project');
    await page.locator('[id="schema/Project"]').getByText('owner', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 840 });
    await lookOnPhone(page, 'reference-phone', bySystem);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });
});
