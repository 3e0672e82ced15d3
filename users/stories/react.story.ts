import type { Bottega, WorkspaceCommand } from '@bottega/sdk';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findChromium } from '../../apps/dashboard/e2e/chromium.ts';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newPerson } from '../people.ts';
import { commit } from '../projects.ts';
import { reactPackages } from '../react-packages.ts';

const pieceLength = 500_000;

/** Sends an archive to the workspace, and unpacks it in node_modules there. */
async function unpack(client: Bottega, [project, workspace]: [string, string], archive: Buffer): Promise<void> {
  const command = 'mkdir -p node_modules && base64 -d | tar -xz -C node_modules && touch node_modules/.is-whole';
  const { id } = (await client.workspaces.run(project, workspace, { command, background: true })) as WorkspaceCommand;
  const text = archive.toString('base64');
  for (let at = 0; at < text.length; at += pieceLength) {
    const data = text.slice(at, at + pieceLength);
    await client.workspaces.sendInput(project, workspace, id, { data, close: at + pieceLength >= text.length });
  }
  const ended = await waitFor('the archive is unpacked', async () => {
    const found = await client.workspaces.command(project, workspace, id);
    return found.status === 'exited' && found;
  });
  expect(ended, JSON.stringify(ended)).toMatchObject({ exit_code: 0 });
}

test('a React project reloads its modules in a browser: an edit is shown, and what is in the page stays', async () => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('chromium must be installed');
  const { client } = await newPerson();
  const { id } = await client.projects.create({ name: 'Before', template: 'react-vite' });
  // `npm install` needs a registry, which not every sandbox reaches. So the packages come from this machine.
  const start = 'until [ -e node_modules/.is-whole ]; do sleep 0.1; done; npm run dev';
  await commit(client, id, { '/bottega.json': JSON.stringify({ workspace: { start } }) });
  const { id: workspace } = await client.workspaces.create(id, {});
  await unpack(client, [id, workspace], await reactPackages());
  const { url, port } = await waitFor('its port', async () => {
    const { data } = await client.workspaces.ports(id, workspace);
    return data.find(({ listening }) => listening);
  });
  await client.workspaces.updatePort(id, workspace, String(port), { visibility: 'public' });

  const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * 127.0.0.1'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Before' }).waitFor();
    const field = page.getByLabel('What is to be done?');
    await field.fill('Buy milk');
    await commit(client, id, { '/src/about.ts': "export const name = 'After';\nexport const description = '';\n" });
    await page.getByRole('heading', { name: 'After' }).waitFor();
    expect(await field.inputValue(), 'the page was not loaded again').toBe('Buy milk');
  } finally {
    await browser.close();
  }
  await client.workspaces.delete(id, workspace);
});
