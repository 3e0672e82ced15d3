import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { connectCommands } from '../src/connect/commands.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('the Connect pages', () => {
  test('the addresses of the account and of a project can be copied', async () => {
    const user = await service.createUser({ name: 'Cleo' });
    const project = await createProject(service, user);
    const page = await browser.open(service.url, { user });
    const lineOf = (label: string) => page.getByLabel(label, { exact: true }).textContent();
    await page.goto('/settings/connect');
    await page.getByRole('heading', { name: 'Command line' }).waitFor();
    const installs = page.getByLabel('Install', { exact: true });
    const { installCli, installSdk } = connectCommands(service.url);
    expect(await installs.allTextContents()).toEqual([installCli, installSdk]);
    expect(await lineOf('Sign in')).toBe(`btg login ${service.url}`);
    expect(await lineOf('Server URL')).toBe(`${service.url}/mcp`);
    await look(page, 'connect');
    await lookOnPhone(page, 'connect');
    await page.goto(`/projects/${project.id}/connect`);
    await page.getByRole('heading', { name: 'Command line' }).waitFor();
    expect(await lineOf('Clone this project')).toBe(`btg clone ${project.id}`);
    expect(await lineOf('Clone')).toBe(`git clone ${service.url}/git/${project.id}.git`);
    expect(await lineOf('Server URL')).toBe(`${service.url}/mcp?project=${project.id}`);
    await look(page, 'project-connect');
  });

  test('a device is connected by its code, and is listed among the authorized apps', async () => {
    const user = await service.createUser({ name: 'Dana' });
    const page = await browser.open(service.url, { user });
    const asked = await call<{ user_code: string; verification_uri_complete: string }>(
      'POST',
      `${service.url}/oauth/device`,
      {
        body: 'client_id=btg&scope=read%3Aprojects',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    );
    await page.goto(asked.body.verification_uri_complete);
    await look(page, 'device-code', { follows: null });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(asked.body.user_code).waitFor();
    await look(page, 'device-consent', { follows: null });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
    await page.goto('/settings/authorized');
    await page.getByText('Bottega CLI (btg)', { exact: true }).waitFor();
  });
});
