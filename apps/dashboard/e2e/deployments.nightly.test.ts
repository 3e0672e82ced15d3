import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import {
  buildSettings,
  deployed,
  logsOf,
  projectOf,
  readDeployment,
  visit,
} from '../../server/src/testing/samples/sample-deployments.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

// The build needs no sandbox, and has to see the gate below.
const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const browser = useBrowser();
const folder = mkdtempSync(join(tmpdir(), 'bottega-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const confirmed = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const status = (page: Page) => page.getByRole('status').filter({ hasText: /Production|Preview|Development/ });
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

// Records the lines of each connection: outside the page, neither the header of a resumed connection nor the body of a
// closed one can be read.
const noteLogEvents = `
  window.arrived = [];
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      this.addEventListener('log', ({ lastEventId }) => window.arrived.push(lastEventId));
    }
  };`;

describeInBrowser('deployments', () => {
  test('from a template to the opened page; a second one is followed live, canceled, redeployed, promoted and rolled back', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const page = await browser.open(service.url, { user });
    await page.goto('/new?from=template');
    await page.getByRole('button', { name: /^Use: Static/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('My pages');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('tab', { name: 'Deployments' }).click();
    await page.getByText('No deployments yet').waitFor();
    await look(page, 'deployments-empty');

    await page.getByRole('link', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(/deploy=true/);
    const dialog = page.getByRole('dialog', { name: 'Deploy My pages' });
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.waitForURL(/deployments\/dep_\w+$/);
    const first = page.url();
    await status(page).getByText('Ready').waitFor();
    await status(page).getByText('Live').waitFor();
    await page.getByText(/^Complete ·/).waitFor();
    await look(page, 'deployment');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open app', exact: true }).click();
    const app = await opened;
    await app.getByRole('heading', { name: 'My pages' }).waitFor();
    expect(new URL(app.url()).origin).not.toBe(new URL(service.url).origin);
    await app.close();
    await page.getByRole('link', { name: 'Open live app' }).waitFor();

    const gate = join(folder, 'open');
    await page.goto(first.replace(/\/dep_\w+$/, '?deploy=true'));
    // Nothing covers the next field, and a click offers every environment although one is filled in.
    const offered = page.getByRole('listbox');
    await dialog.getByLabel('Environment', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await offered.count()).toBe(0);
    await dialog.getByLabel('Environment', { exact: true }).click();
    await offered.getByRole('option', { name: 'development' }).waitFor();
    await offered.getByRole('option', { name: 'preview' }).click();
    await dialog.getByLabel('Build', { exact: true }).selectOption('Use this command');
    const command = [
      `printf '\\033[1;32mcompiling\\033[0m the \\033[36mpages\\033[0m\\n'`,
      `seq -f 'page %g' 60`,
      'echo "careful: $TOKEN" >&2',
      `printf '\\033[41m FULL \\033[0m of \\033[38;5;208morange\\033[0m\\n'`,
      `while [ ! -f ${gate} ]; do sleep 0.05; done`,
      'echo through the gate',
      'while :; do sleep 0.05; done',
    ];
    await dialog.getByLabel('Command').fill(command.join('\n'));
    await dialog.getByRole('button', { name: 'Add variable' }).click();
    await dialog.getByLabel('Name of variable 1').fill('1TOKEN');
    await dialog.getByText('Use letters, digits and underscores').waitFor();
    expect(await dialog.getByRole('button', { name: 'Deploy' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Name of variable 1').fill('TOKEN');
    await dialog.getByLabel('Value of variable 1').fill('hunter-two-secret');
    await look(page, 'deploy-dialog');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    const log = page.getByRole('log');
    await log.getByText('careful: ***', { exact: true }).waitFor();
    await log.getByText('orange', { exact: true }).waitFor();
    expect(await log.getByText('through the gate', { exact: true }).count()).toBe(0);
    const canceledAt = page.url();
    await page.getByLabel('Search the log').fill('page 3');
    await page.getByText('1 of 11').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 11').waitFor();
    await look(page, 'deployment-building');
    await page.getByLabel('Search the log').fill('');
    // A reader further up stays there, and returns to the end by the button.
    await log.hover();
    await page.mouse.wheel(0, -4000);
    await page.getByRole('button', { name: 'Go to the newest line' }).waitFor();
    writeFileSync(gate, '');
    await log.getByText('compiling', { exact: true }).waitFor();
    expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
    await page.getByRole('button', { name: 'Go to the newest line' }).click();
    await log.getByText('through the gate', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel deployment' }).click();
    await confirmed(page, 'Cancel deployment');
    await status(page).getByText('Canceled').waitFor();
    await page.getByText(/^Complete ·/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download log' }).click();
    expect((await download).suggestedFilename()).toMatch(/^dep_\w+\.log$/);

    await page.goto(first);
    await page.getByRole('button', { name: 'Redeploy' }).click();
    await confirmed(page, 'Redeploy');
    await page.waitForURL((url) => /\/dep_\w+$/.test(url.pathname) && url.href !== first && url.href !== canceledAt);
    await status(page).getByText('Live').waitFor();
    const second = page.url();
    await page.goto(first);
    await page.getByRole('button', { name: 'Roll back to this' }).click();
    await confirmed(page, 'Roll back to this');
    await status(page).getByText('Live').waitFor();
    await page.goto(second);
    await page.getByRole('button', { name: 'Make it live' }).click();
    await confirmed(page, 'Make it live');
    await status(page).getByText('Live').waitFor();
    const [, projectId = '', id = ''] = /projects\/(\w+)\/deployments\/(\w+)/.exec(second) ?? [];
    expect(await readDeployment({ service, user, projectId }, id)).toMatchObject({
      is_live: true,
      trigger: 'redeploy',
    });

    await page.getByRole('link', { name: 'All deployments' }).click();
    await page.getByLabel('Status').selectOption('canceled');
    await page.waitForURL(/status=canceled/);
    await page.getByRole('cell', { name: 'Preview' }).waitFor();
    await page.getByLabel('Environment').selectOption('production');
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('cell', { name: 'Canceled' }).waitFor();
    await look(page, 'deployments');
  });

  test('a failed deployment explains why, its log has links to its lines, and all of it fits on a phone', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const place = await projectOf(service, { '/index.html': 'x' }, user, { name: 'Broken' });
    const { id } = await deployed(place, {
      build_command: 'seq 400; printf "\\033[31mno such module\\033[0m\\n" >&2; exit 3',
    });
    const page = await browser.open(service.url, { user, width: 375, height: 740 });
    // The log is refused, then breaks off after two lines, and then continues after them: complete, with nothing
    // repeated.
    const [first, second] = await logsOf(place, id, '?limit=2');
    const lines = [first, second].map((line) => `id: ${line?.seq}\nevent: log\ndata: ${JSON.stringify(line)}\n\n`);
    const brokenOff = { contentType: 'text/event-stream', body: `retry: 10\n\n${lines.join('')}` };
    let asked = 0;
    await page.route(/\/logs\?/, (route) => {
      asked++;
      return asked > 2 ? route.continue() : route.fulfill(asked === 1 ? { status: 404 } : brokenOff);
    });
    await page.addInitScript(noteLogEvents);
    await page.goto(`/projects/${place.projectId}/deployments/${id}?line=200`);
    await page.getByRole('alert').getByText('The build failed').waitFor();
    await page.getByText('Complete · 405 lines').waitFor();
    expect(asked).toBe(3);
    expect(await page.evaluate('window.arrived')).toEqual(Array.from({ length: 405 }, (_, index) => `${index + 1}`));
    await page.getByRole('link', { name: 'Link to line 200', exact: true }).waitFor();
    await look(page, 'deployment-failed-phone');
    expect(await overflow(page)).toBe(0);
    await page.getByText('Warnings', { exact: true }).click();
    await page.getByRole('log').getByText('no such module').waitFor();
    expect(await page.getByRole('log').getByText('399', { exact: true }).count()).toBe(0);
    await page.getByRole('log').scrollIntoViewIfNeeded();
    await look(page, 'deployment-log-phone');
    await page.goto(`/projects/${place.projectId}/deployments`);
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    await lookOnPhone(page, 'deployments-phone');
    expect(await overflow(page)).toBe(0);
    await page.goto(`/projects/${place.projectId}/deployments?deploy=true`);
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).waitFor();
    await lookOnPhone(page, 'deploy-dialog-phone');

    await page.goto(`/projects/${place.projectId}/deployments/dep_01jd2m6vz8e3r9x5k7q4w1t0ab`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test('an app that was restarted, or no longer runs, says why and links to its log', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const gone = join(folder, 'gone');
    const server = `if (require('fs').existsSync('${gone}')) { console.log('no database'); process.exit(4); }
      require('http').createServer(({ url }, answer) => url === '/exit' ? process.exit(3) : answer.end('up'))
        .listen(process.env.PORT);`;
    const files = { '/bottega.json': JSON.stringify({ start: 'node server.js' }), '/server.js': server };
    const place = await projectOf(service, files, user, { name: 'Shaky' });
    const { id, url } = await deployed(place, { environment: 'preview' });
    const page = await browser.open(service.url, { user, width: 390, height: 844 });
    const main = page.getByRole('main');
    await page.goto(`/projects/${place.projectId}/deployments/${id}?log=runtime`);
    await page.getByText(/^Running ·/).waitFor();
    expect(await main.getByText('Last reason').count()).toBe(0);
    await visit(`${url}/exit`);
    await main.getByText('The app was restarted once. Last reason: The app exited with code 3.').waitFor();
    await look(page, 'deployment-restarted-phone');

    // An app that no one visits is stopped, and the next visit starts it. This one never responds again.
    await service.pool.query('update deployments set wanted_until = now() where id = $1', [id]);
    await waitFor('it is stopped', async () => (await readDeployment(place, id)).app?.status === 'sleeping');
    writeFileSync(gone, '');
    await visit(`${url}/`);
    await page.goto(`/projects/${place.projectId}/deployments/${id}?log=build`);
    const problem = page.getByRole('alert');
    await problem.getByText('The app is not running').waitFor();
    await problem.getByText('The app exited with code 4 before it responded').waitFor();
    await status(page).getByText('Not running').waitFor();
    await look(page, 'deployment-app-failed-phone');
    await problem.getByRole('link', { name: 'Show the runtime log' }).click();
    await page.getByRole('log').getByText('no database').first().waitFor();
    expect(await overflow(page)).toBe(0);
  });
});
