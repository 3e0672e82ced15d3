import { expect, test } from 'vitest';
import { newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('a template of one’s own', () => {
  test('is published from a project, published in a new version, and withdrawn', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/index.html', 'first');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/settings`);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Template', exact: true }) });
    await section.getByRole('button', { name: 'Publish as template…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish as template' });
    await dialog.getByLabel('Name').fill('Our start');
    await dialog.getByLabel('Category').fill('house');
    await look(page, 'template-dialog');
    await dialog.getByRole('button', { name: 'Publish as template', exact: true }).click();
    await page.getByText('Published Our start').waitFor();
    const own = section.getByRole('list', { name: 'Your templates' });
    await own.getByText('version 1').waitFor();
    await section.scrollIntoViewIfNeeded();
    await look(page, 'template-section');
    await writeFile(place, '/index.html', 'second');
    await own.getByRole('button', { name: 'New version from this project: Our start' }).click();
    await own.getByText('version 2').waitFor();
    await page.setViewportSize({ width: 390, height: 840 });
    await lookOnPhone(page, 'template-section-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    await own.getByRole('button', { name: 'Withdraw: Our start' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Withdrew Our start').waitFor();
    await own.waitFor({ state: 'detached' });
  });

  test('has a link that opens the form for a new project with this template', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/index.html', 'first');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/settings`);
    await page.getByRole('button', { name: 'Publish as template…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish as template', exact: true }).click();
    await page.getByRole('list', { name: 'Your templates' }).getByRole('link').click();
    await page.waitForURL(/\/new\?.*template=tpl_/);
  });
});
