import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { join } from '../../server/src/testing/samples/sample-collaborators.ts';
import { buildSettings, deployed } from '../../server/src/testing/samples/sample-deployments.ts';
import { inProject, newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const browser = useBrowser();

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Search or jump to…' });
const group = (page: Page, name: string) => page.getByRole('dialog').getByRole('group', { name, exact: true });

async function seek(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).fill(typed);
}

async function filledPlace() {
  const place = await newPlace(service, { name: 'Lighthouse' });
  const changes = Array.from({ length: 1000 }, (_, index) => ({
    action: 'create',
    path: `/src/part-${index % 40}/a-module-with-a-long-name-${index}.ts`,
    content: `export const value = ${index};\n`,
  }));
  await inProject(place, 'POST', '/commits', { json: { message: 'Add a thousand modules', changes } });
  await writeFile(place, '/index.html', '<!doctype html><title>Lighthouse</title>');
  await inProject(place, 'POST', '/branches', { json: { name: 'lantern/new-lens' } });
  const onBranch = { message: 'Grind the lens', branch: 'lantern/new-lens', path: '/lens.txt', content: 'clear\n' };
  await inProject(place, 'PUT', '/files', { json: onBranch });
  const request = { source: 'lantern/new-lens', title: 'Replace the old lamp' };
  expect((await inProject(place, 'POST', '/merge-requests', { json: request })).status).toBe(201);
  return place;
}

describeInBrowser('the palette', () => {
  test('finds files, branches, commits, deployments, merge requests, people and actions of the project', async () => {
    const place = await filledPlace();
    const deployment = await deployed(place, { environment: 'preview', build_command: '' });
    const grace = await service.createUser({ name: 'Grace Keeper' });
    await join(service, { owner: place.user, projectId: place.projectId }, grace);
    const page = await browser.open(service.url, { user: place.user });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    const toFiles = () => asked.filter((path) => path.includes('recursive=true'));
    await page.goto(`/projects/${place.projectId}/people`);
    await page.getByText('Grace Keeper').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.filter((path) => /\/v1\/projects\?/.test(path))).toEqual([]);

    await seek(page, 'long-name-777');
    await group(page, 'Files').getByText('a-module-with-a-long-name-777.ts', { exact: true }).waitFor();
    expect(toFiles()).toHaveLength(1);
    expect(await page.getByRole('dialog').getByRole('option').count()).toBeLessThan(60);
    await look(page, 'palette-files');
    await page.keyboard.press('Enter');
    await page.waitForURL(/files\?path=%2Fsrc%2Fpart-17%2Fa-module-with-a-long-name-777.ts/);

    await page.goto(`/projects/${place.projectId}/overview`);
    const found: [typed: string, heading: string, leadsTo: RegExp][] = [
      ['lantern', 'Branches', /files\?ref=lantern/],
      ['a thousand', 'Commits', /history\/[0-9a-f]{40}/],
      [deployment.id, 'Deployments', new RegExp(`deployments/${deployment.id}`)],
      ['old lamp', 'Merge requests', /merge-requests\/1$/],
      ['!1', 'Merge requests', /merge-requests\/1$/],
      ['grace', 'People', /\/people$/],
      ['deploy', 'In this project', /deployments\?deploy=true$/],
      ['settings', 'In this project', /\/projects\/prj_\w+\/settings$/],
      ['new merge', 'In this project', /merge-requests\/new/],
    ];
    for (const [typed, heading, leadsTo] of found) {
      await page.goto(`/projects/${place.projectId}/overview`);
      await page.getByRole('region', { name: 'Latest commits' }).waitFor();
      await seek(page, typed);
      await group(page, heading).getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(leadsTo);
    }
    await page.goto(`/projects/${place.projectId}/overview`);
    await page.getByRole('region', { name: 'Latest commits' }).waitFor();
    await seek(page, 'new branch');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New branch from main' }).waitFor();
  });

  test('waits after Enter for the results of the current text, and shows no results of an earlier text', async () => {
    const user = await service.createUser();
    await createProject(service, user, { name: 'Blog' });
    await createProject(service, user, { name: 'Shop' });
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByRole('main').getByRole('link', { name: 'Blog' }).waitFor();
    await page.keyboard.press('Control+k');
    await group(page, 'Your projects').getByText('Shop').waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route(/search=blog/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await field(page).fill('blog');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').getByText('Shop').count()).toBe(0);
    await page.getByRole('dialog').getByLabel('Searching…').waitFor();
    answer.resolve();
    await page.waitForURL(/\/projects\/prj_\w+\/overview/);
    await page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();

    await page.keyboard.press('Control+k');
    await field(page).fill('no such thing');
    await page.getByRole('dialog').getByText('Nothing found').waitFor();
    await field(page).fill('');
    await page.keyboard.press('ArrowUp');
    await page.getByRole('option', { name: 'Keyboard shortcuts', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  test('fits on a phone', async () => {
    const place = await filledPlace();
    const page = await browser.open(service.url, { user: place.user, width: 390, height: 844 });
    await page.goto(`/projects/${place.projectId}/overview`);
    await page.getByRole('button', { name: 'Search or jump to…' }).click();
    await group(page, 'In this project').getByText('Deploy…').waitFor();
    await lookOnPhone(page, 'palette-phone');
    await field(page).fill('module');
    await group(page, 'Files').getByRole('option').first().waitFor();
    await lookOnPhone(page, 'palette-files-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await group(page, 'Files').getByRole('option').first().click();
    await page.waitForURL(/files\?path=/);
  });
});
