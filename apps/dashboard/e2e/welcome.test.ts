import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { buildSettings } from '../../server/src/testing/samples/sample-deployments.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: buildSettings });
const browser = useBrowser();

describeInBrowser('the first start', () => {
  test('leads a newcomer from the sign-up to their own page on the web', async () => {
    const page = await browser.open(service.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Name').fill('Nadja');
    await page.getByLabel('E-mail').fill('nadja@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a long and odd phrase');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Welcome, Nadja' }).waitFor();
    await page.getByRole('radio', { name: 'Static site' }).waitFor();
    await look(page, 'welcome');
    await page.getByLabel('Project name').fill('Seaside');
    await page.keyboard.press('Enter');
    await page.waitForURL(/welcome\?project=prj_\w+&deployment=dep_\w+/);
    await page.getByRole('heading', { name: 'Your site is online' }).waitFor();
    await look(page, 'welcome-online');
    await page.reload();
    const open = page.getByRole('link', { name: 'Open your site' });
    await open.waitFor();
    const opened = page.context().waitForEvent('page');
    await open.click();
    const site = await opened;
    await site.getByRole('heading', { name: 'Seaside' }).waitFor();
    await site.screenshot({ path: `${import.meta.dirname}/../screenshots/welcome-opened.light.png` });
    await site.close();

    await page.setViewportSize({ width: 375, height: 740 });
    await lookOnPhone(page, 'welcome-online-phone');
    await page.goto('/');
    await page.getByRole('link', { name: 'Seaside', exact: true }).waitFor();
    await page.goto('/welcome');
    await page.getByRole('radio', { name: 'Static site' }).waitFor();
    await lookOnPhone(page, 'welcome-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });

  test('says why a page did not come online, and lets the user try again', async () => {
    const user = await service.createUser({ name: 'Nora' });
    const json = { name: 'Nothing yet' };
    const project = await call<{ id: string }>('POST', `${service.url}/v1/projects`, { token: user.key, json });
    const base = `${service.url}/v1/projects/${project.body.id}`;
    await call('PUT', `${base}/files`, { token: user.key, json: { path: '/bottega.json', content: '{"build": 7}' } });
    const deployment = await call<{ id: string }>('POST', `${base}/deployments`, { token: user.key, json: {} });
    expect(deployment.status, deployment.text).toBe(201);
    const page = await browser.open(service.url, { user });
    await page.goto(`/welcome?project=${project.body.id}&deployment=${deployment.body.id}`);
    await page.getByRole('alert').getByText('The deployment failed').waitFor();
    await look(page, 'welcome-failed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL((url) => !url.href.includes(deployment.body.id));
    await page.getByRole('alert').getByText('The deployment failed').waitFor();
  });
});
