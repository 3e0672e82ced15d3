import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import {
  buildSettings,
  deployed,
  logsOf,
  projectOf,
  setVariable,
  textOf,
  visit,
} from '../../server/src/testing/samples/sample-deployments.ts';
import { inProject, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({
  settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_APP_START_TIMEOUT: '5' },
});
const browser = useBrowser();

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

/** Types that exist in the page but not in this process. */
type InPage = {
  DataTransfer: new () => { setData(type: string, text: string): void };
  ClipboardEvent: new (type: string, init: object) => Event;
};

/** Pastes text as if it had been copied from an .env file. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((input, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as InPage;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const app = (start: string) => ({
  '/bottega.json': JSON.stringify({ start: 'node server.js' }),
  '/server.js': `${start}
require('http').createServer((request, response) => {
  console.log('asked for ' + request.url + ' by ' + request.headers['user-agent']);
  if (request.url === '/crash') { console.error('Error: it is all over'); process.exit(7); }
  response.end('hello');
}).listen(process.env.PORT);`,
});

describeInBrowser('environments', () => {
  test('variables are pasted, hidden, replaced, inherited by a deployment and deleted', async () => {
    const place = await projectOf(service, { '/index.html': 'x' });
    const page = await browser.open(service.url, { user: place.user, width: 1440 });
    await page.goto(`/projects/${place.projectId}/settings`);
    await page.getByText('No variables yet').waitFor();
    await page.getByRole('button', { name: 'Add variables' }).click();
    const dialog = page.getByRole('dialog');
    await paste(
      dialog.getByLabel('Name of variable 1'),
      'TOKEN=hunter-two\n# nothing\nexport API_URL="https://a.example"',
    );
    await dialog.getByLabel('Name of variable 2').waitFor();
    await look(page, 'variables-dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'TOKEN').getByText('Hidden').waitFor();
    await rowOf(page, 'API_URL').getByRole('cell', { name: 'All', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit: API_URL' }).click();
    await dialog.getByLabel('New value').fill('https://b.example');
    await dialog.getByLabel('Secret').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'API_URL').getByText('https://b.example').waitFor();
    await look(page, 'variables');

    await page.goto(`/projects/${place.projectId}/deployments?deploy=true`);
    const deploy = page.getByRole('dialog', { name: /^Deploy/ });
    await deploy.getByRole('group', { name: 'From the project' }).getByText('TOKEN').waitFor();
    await deploy.getByRole('button', { name: 'Add variable' }).click();
    await deploy.getByLabel('Name of variable 1').fill('TOKEN');
    await deploy.getByLabel('Value of variable 1').fill('for-production');
    await deploy.getByText('(replaced)').waitFor({ state: 'attached' });
    await look(page, 'deploy-dialog-variables');
    await deploy.getByRole('button', { name: 'Deploy' }).click();
    await page.waitForURL(/deployments\/dep_\w+$/);
    await page.getByText('API_URL TOKEN').waitFor();

    await page.goto(`/projects/${place.projectId}/settings`);
    await rowOf(page, 'production').getByText('TOKEN').waitFor();
    await rowOf(page, 'All others').getByText('TOKEN').waitFor();
    await rowOf(page, 'All others').getByRole('button', { name: 'Delete: TOKEN' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('TOKEN deleted').waitFor();
  });

  test('deploying again keeps the variables of the last deployment', async () => {
    const place = await projectOf(service, { '/a.txt': 'x' });
    const tell = {
      build_command: 'mkdir out; echo "<p>it is $A" > out/index.html; cat out/index.html',
      output_directory: 'out',
    };
    await deployed(place, { ...tell, environment_variables: { A: 'kept' } });
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/deployments?deploy=true`);
    const deploy = page.getByRole('dialog', { name: /^Deploy/ });
    await deploy.getByRole('group', { name: 'From the last deployment' }).getByText('A', { exact: true }).waitFor();
    await deploy.getByLabel('Build', { exact: true }).selectOption('Use this command');
    await deploy.getByLabel('Command').fill(tell.build_command);
    await deploy.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('log').getByText('<p>it is kept').waitFor();
  });

  test('a branch has an address that shows its newest preview, until it is deleted', async () => {
    const place = await projectOf(service, { '/index.html': 'on the branch' });
    await inProject(place, 'POST', '/branches', { json: { name: 'feature/new' } });
    const { id, branch_url: url } = await deployed(place, { environment: 'preview', branch: 'feature/new' });
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/deployments`);
    const link = page.getByRole('link', { name: 'Preview: open the latest deployment of feature/new' });
    expect(await link.getAttribute('href')).toBe(url);
    await page.goto(`/projects/${place.projectId}/deployments/${id}`);
    await page.getByText('Branch URL').waitFor();
    await inProject(place, 'DELETE', '/branches/feature/new');
    await page.reload();
    await page.getByText('Retired').waitFor();
    await expect.poll(async () => (await visit(`${url}/`)).status, { timeout: 20_000 }).toBe(410);
  });

  test('the log of an app is separate from its build log, continues while the app runs, and shows a crash without a reload', async () => {
    const place = await projectOf(service, app(''));
    const done = await deployed(place);
    expect(done.status, textOf(await logsOf(place, done.id))).toBe('success');
    const page = await browser.open(service.url, { user: place.user, width: 1440 });
    await page.goto(`/projects/${place.projectId}/deployments/${done.id}`);
    const log = page.getByRole('log');
    await log.getByText(/^Building commit/).waitFor();
    await page.getByText('Runtime', { exact: true }).click();
    await page.waitForURL(/log=runtime/);
    await log.getByText('The app responds').waitFor();
    await visit(`${done.url}/visited`, { 'user-agent': 'me' });
    await log.getByText('asked for /visited by me').waitFor();
    await visit(`${done.url}/crash`);
    await log.getByText('The app exited with code 7').waitFor();
    await page.getByText(/Running, 1 restart/).waitFor();
    expect(await log.getByText(/bottega-health-check/).count()).toBe(0);
    await look(page, 'runtime-log');
  });

  test('a failed deployment quotes the last error and links to its line; an app that never responds is reported as such', async () => {
    const place = await projectOf(service, app('\nthrow new TypeError("not today");'));
    const crashed = await deployed(place);
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/deployments/${crashed.id}`);
    await page.getByText('The app crashed at start').waitFor();
    await page.getByText('TypeError: not today', { exact: true }).first().waitFor();
    await look(page, 'deployment-crashed');
    const build_command = 'echo "server.js(2,7): error TS2322: not so" >&2; exit 2';
    const { id } = await deployed(place, { build_command });
    await page.goto(`/projects/${place.projectId}/deployments/${id}`);
    await page.getByText('server.js(2,7): error TS2322: not so', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'server.js:2' }).click();
    await page.waitForURL(
      (url) => url.searchParams.get('path') === '/server.js' && url.searchParams.get('line') === '2',
    );
    await writeFile(place, '/server.js', 'setInterval(() => {}, 1000)');
    const silent = await deployed(place);
    await page.goto(`/projects/${place.projectId}/deployments/${silent.id}`);
    await page.getByText('The app did not respond', { exact: true }).waitFor();
    await page.getByText('The app did not respond on its PORT within 5 seconds').first().waitFor();
  });

  test('variables are shown in German, too', async () => {
    const place = await projectOf(service, { '/index.html': 'x' });
    await setVariable(place, 'TOKEN', { value: 'hunter-two' });
    const json = { preferences: { language: 'de' } };
    await call('PATCH', `${service.url}/v1/user`, { token: place.user.key, json });
    const page = await browser.open(service.url, { user: place.user, width: 390 });
    await page.goto(`/projects/${place.projectId}/settings`);
    await rowOf(page, 'TOKEN').getByText('Verborgen').waitFor();
    await lookOnPhone(page, 'variables-phone');
  });
});
