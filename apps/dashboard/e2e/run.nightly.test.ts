import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { describeWith } from '../../server/src/testing/parts/programs.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { projectOf } from '../../server/src/testing/samples/sample-deployments.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import {
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../../server/src/testing/samples/sample-workspaces.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

// A service removes files of workspaces that it does not know, so it shares its directory with no other test.
const folder = mkdtempSync('/var/tmp/bottega-test-run-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o711);
const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_BUILD_DIR: folder } });
const browser = useBrowser();

const server = `
  const { createServer } = require('node:http');
  const { readFileSync } = require('node:fs');
  createServer((request, response) => {
    console.log('\\x1b[32mGET\\x1b[0m', request.url);
    response.setHeader('content-type', 'text/html');
    response.end(readFileSync('page.html'));
  }).listen(4000, () => console.log('Listens on port 4000'));
`;
const files = {
  '/page.html': '<h1>Good morning</h1>\n',
  '/server.js': server,
  '/bottega.json': JSON.stringify({ workspace: { start: 'node server.js' } }),
};

const screenOf = (page: Page) => page.locator('.run-screen:visible .xterm-rows');
const typeInTerminal = async (page: Page, text: string) => {
  await page.locator('.run-terminal:visible .xterm-screen').click();
  await page.keyboard.type(`${text}\n`);
};
const isOnScreen = (page: Page, text: string | RegExp) => screenOf(page).getByText(text).first().waitFor();
const tab = (page: Page, name: string) =>
  page
    .getByRole('group', { name: 'Terminals, output, problems, ports and processes' })
    .getByRole('button', { name, exact: true });
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
const act = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Workspace actions' }).click();
  await page.getByRole('menuitem', { name }).click();
};

describeWith(workspacePrograms, 'workspaces', () => {
  describeInBrowser('the Run pane', () => {
    test('runs a branch with a terminal, a preview of a port that follows edits, output, sleep and waking up', async () => {
      const place = await projectOf(service, files, await service.createUser({ name: 'Ada' }), { name: 'Server' });
      const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
      const sockets: WebSocketRoute[] = [];
      await page.routeWebSocket(/\/terminals\//, (socket) => {
        socket.connectToServer();
        sockets.push(socket);
      });
      await page.goto(`/projects/${place.projectId}/files?path=/page.html`);
      await page.getByLabel('Content of /page.html').waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('There is no workspace for the branch main').waitFor();
      await look(page, 'run-none');
      await page.getByRole('button', { name: 'Start a workspace' }).click();

      const frame = page.frameLocator('iframe[title="Preview of port 4000"]');
      await frame.getByText('Good morning').waitFor();
      await page.locator('.run-terminal[data-connection=open]').waitFor();
      await isOnScreen(page, /\$|#/);
      await typeInTerminal(page, 'echo hi-$((40+2)); printf "\\e[31mred\\e[0m \\e[38;2;10;200;90mgreen\\e[0m\\n"');
      await isOnScreen(page, 'hi-42');
      await look(page, 'run');
      for (const socket of [...sockets]) await socket.close({ code: 1012 });
      await waitFor('the terminal is connected again', () => sockets.length > 1);
      await page.locator('.run-terminal[data-connection=open]').waitFor();
      await isOnScreen(page, 'hi-42');
      await typeInTerminal(page, 'echo again-$((40+3))');
      await isOnScreen(page, 'again-43');

      const content = page.getByLabel('Content of /page.html');
      await content.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('<h1>Good evening</h1>\n');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved', { exact: true }).waitFor();
      await waitFor('the change is in the preview', async () => {
        await page.getByRole('button', { name: 'Reload' }).click();
        await frame.locator('h1').waitFor();
        return (await frame.locator('h1').innerText()) === 'Good evening';
      });

      await page.getByRole('button', { name: 'New terminal' }).click();
      await tab(page, 'Terminal 2').waitFor();
      const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests', details: {} };
      const refuse = { status: 429, json: { error } };
      await page.route(/\/terminals\/trm_\w+$/, (route) => route.fulfill(refuse), { times: 1 });
      await page.getByRole('button', { name: 'Close Terminal 2' }).click();
      await page.getByText('Too many requests').waitFor();
      await page.getByRole('button', { name: 'Close Terminal 2' }).click();
      await tab(page, 'Terminal 2').waitFor({ state: 'hidden' });
      await tab(page, 'Terminal 1').click();
      await isOnScreen(page, 'hi-42');

      await tab(page, 'Ports').click();
      await page.getByRole('list', { name: 'Ports' }).getByText('Port 4000').waitFor();
      await page.getByLabel('Who sees port 4000').selectOption('members');
      await look(page, 'run-ports');

      await tab(page, 'Output').click();
      await isOnScreen(page, 'Listens on port 4000');
      await look(page, 'run-output');
      await tab(page, 'Processes').click();
      const processes = page.getByRole('region', { name: 'Processes' });
      await processes.getByText('node server.js').first().waitFor();
      await look(page, 'run-processes');
      await tab(page, 'Output').click();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('list', { name: 'Commands since the start' }).getByText('SIGTERM').waitFor();

      await act(page, 'Put to sleep');
      await page.getByText('The workspace is sleeping').nth(1).waitFor();
      await look(page, 'run-sleeping');
      await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: 'Wake up' }).click();
      await frame.getByText('Good evening').waitFor();
      await isOnScreen(page, /\$|#/);

      await page.keyboard.press('Control+j');
      await page.getByRole('region', { name: 'Run' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+j');
      await act(page, 'Delete workspace');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete workspace' }).click();
      await page.getByText('There is no workspace for the branch main').first().waitFor();
    });

    test('shows an agent with its command, and a person watches it, takes over, stops it and resumes it', async () => {
      const owner = await service.createUser({ name: 'Ada' });
      const place = await projectOf(service, { '/sub/page.html': '<h1>Good morning</h1>\n' }, owner, {
        name: 'Agents',
      });
      const at = await newWorkspace(place);
      const command = 'echo working; sleep 1000';
      await inWorkspace(at, 'POST', '/commands', { command, cwd: 'sub', background: true });
      const page = await browser.open(service.url, { user: owner, width: 1440, height: 900 });
      await page.goto(`/projects/${place.projectId}/files?path=/sub/page.html&run=true`);
      const agents = page.getByRole('list', { name: 'Agents in this workspace' });
      await agents.getByText(`runs ${command}`).waitFor();
      await look(page, 'run-agent');
      await agents.getByRole('button', { name: /^Watch/ }).click();
      await isOnScreen(page, 'working');
      await look(page, 'run-agent-watched');
      await agents.getByRole('button', { name: /^Take over/ }).click();
      await isOnScreen(page, '/workspace/sub');

      await page.getByRole('button', { name: 'Live', exact: true }).click();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const people = page.getByRole('complementary', { name: 'Live session' });
      await people.getByText(`runs ${command}`).waitFor();
      await look(page, 'live-agent');

      await agents.getByRole('button', { name: /^Stop agent/ }).click();
      await agents.getByText('is stopped').waitFor();
      expect((await inWorkspace(at, 'POST', '/commands', { command: 'true' })).status).toBe(409);
      await look(page, 'run-agent-stopped');
      await agents.getByRole('button', { name: /^Resume/ }).click();
      await agents.getByText('is not running anything').waitFor();
      expect((await inWorkspace(at, 'POST', '/commands', { command: 'true' })).status).toBe(200);

      await act(page, 'Fork on a new branch');
      await page.waitForURL(({ searchParams }) => searchParams.has('ref') && !searchParams.has('session'));

      const phone = await browser.open(service.url, { user: owner, width: 390, height: 844 });
      await inWorkspace(at, 'POST', '/commands', { command, background: true });
      await phone.goto(`/projects/${place.projectId}/files?run=true`);
      await phone.getByRole('button', { name: /^Stop agent/ }).waitFor();
      await lookOnPhone(phone, 'phone-run-agent');
      expect(await overflow(phone)).toBe(0);
    });

    test('says in one line that programs have no network access', async () => {
      const place = await projectOf(service, { '/page.html': '<h1>Good morning</h1>' });
      const at = await newWorkspace(place);
      await inWorkspace(at, 'POST', '/start');
      await service.pool.query("update workspaces set network = 'off', language_servers = false where id = $1", [
        at.workspace.id,
      ]);
      const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
      await page.goto(`/projects/${place.projectId}/files?run=true`);
      await page.getByText('Programs in this workspace cannot reach the internet.').waitFor();
      expect(await tab(page, 'Problems').count()).toBe(0);
      await look(page, 'run-offline');
    });

    test('says why a workspace failed, and lets the user try again', async () => {
      const place = await projectOf(service, { '/page.html': '<h1>Good morning</h1>' });
      const at = await newWorkspace(place);
      await inWorkspace(at, 'POST', '/sleep');
      const reason = 'The workspace used too much memory';
      await service.pool.query("update workspaces set status = 'failed', reason = $2 where id = $1", [
        at.workspace.id,
        reason,
      ]);
      const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
      await page.goto(`/projects/${place.projectId}/files?run=true`);
      await page.getByText('The workspace failed').waitFor();
      await page.getByText(reason).waitFor();
      await look(page, 'run-failed');
      await page.getByRole('button', { name: 'Try again' }).click();
      await isOnScreen(page, /\$|#/);
    });

    test('fits on a phone, where a viewer watches in German', async () => {
      const place = await projectOf(service, files, undefined, { name: 'Server' });
      const owner = await browser.open(service.url, { user: place.user, width: 390, height: 844 });
      await owner.goto(`/projects/${place.projectId}/files?path=/page.html`);
      await owner.getByRole('button', { name: 'Run', exact: true }).click();
      await owner.getByRole('button', { name: 'Start a workspace' }).click();
      // The sheet would cover the preview.
      const shown = owner.frameLocator('iframe[title="Preview of port 4000"]').getByText('Good morning');
      await shown.waitFor();
      await owner.getByRole('dialog', { name: 'Run' }).waitFor({ state: 'hidden' });
      await lookOnPhone(owner, 'phone-run-preview');
      expect(await overflow(owner)).toBe(0);
      await owner.getByRole('button', { name: 'Hide the preview' }).click();
      await owner.getByRole('button', { name: 'Run', exact: true }).click();
      await isOnScreen(owner, /\$|#/);
      await typeInTerminal(owner, 'echo hi-$((40+2)); seq 60');
      await isOnScreen(owner, '60');
      const keys = owner.getByRole('group', { name: 'Keys' });
      await keys.getByRole('button', { name: 'Up' }).click();
      await isOnScreen(owner, /\$\(\(40\+2\)\); seq 60\s*$/);
      await keys.getByRole('button', { name: 'Ctrl' }).click();
      await keys.getByRole('button', { name: 'Ctrl', pressed: true }).waitFor();
      await owner.keyboard.type('c');
      await keys.getByRole('button', { name: 'Ctrl', pressed: false }).waitFor();
      await isOnScreen(owner, '^C');
      await lookOnPhone(owner, 'phone-run');
      expect(await overflow(owner)).toBe(0);
      await tab(owner, 'Output').click();
      await owner.getByRole('list', { name: 'Commands since the start' }).waitFor();
      await lookOnPhone(owner, 'phone-run-commands');
      await owner.getByRole('list', { name: 'Commands since the start' }).getByRole('button').click();
      await isOnScreen(owner, 'Listens on port 4000');
      await lookOnPhone(owner, 'phone-run-output');
      expect(await overflow(owner)).toBe(0);
      await tab(owner, 'Processes').click();
      await owner.getByRole('region', { name: 'Processes' }).getByText('node server.js').first().waitFor();
      await owner.getByRole('button', { name: /^Stop: node server/ }).waitFor();
      await lookOnPhone(owner, 'phone-run-processes');
      expect(await overflow(owner)).toBe(0);

      const viewer = await service.createUser();
      await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
      const json = { preferences: { language: 'de' } };
      await call('PATCH', `${service.url}/v1/user`, { token: viewer.key, json });
      const page = await browser.open(service.url, { user: viewer, width: 390, height: 844 });
      await page.goto(`/projects/${place.projectId}/files?run=true`);
      await page.getByText('Du kannst zusehen, aber nichts eingeben.').waitFor();
      await isOnScreen(page, '60');
      const width = () => page.evaluate("document.querySelector('.run-screen .xterm-screen').style.width");
      const narrow = await width();
      await tab(owner, 'Terminal 1').click();
      await owner.setViewportSize({ width: 700, height: 844 });
      await waitFor('the viewer has the new size', async () => (await width()) !== narrow);
      await owner.setViewportSize({ width: 390, height: 844 });
      expect(await page.getByRole('button', { name: 'Neues Terminal' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Aktionen für den Workspace' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Ports', exact: true }).click();
      await page.getByRole('list', { name: 'Ports' }).getByText('Port 4000').waitFor();
      await lookOnPhone(page, 'phone-run-ports');
      expect(await overflow(page)).toBe(0);

      await tab(owner, 'Ports').click();
      await owner.getByRole('list', { name: 'Ports' }).getByRole('button', { name: 'Preview' }).click();
      await shown.waitFor();
    });
  });
});
