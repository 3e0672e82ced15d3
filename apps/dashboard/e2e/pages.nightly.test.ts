import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { inProject, newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('the page', () => {
  test('shows its frame and the list before any script has loaded, and requests neither again', async () => {
    const user = await service.createUser();
    await createProject(service, user, { name: 'Quick' });
    const page = await browser.open(service.url, { user });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(service.url, '')));
    const script = Promise.withResolvers<void>();
    await page.route(/\/assets\/index-.*\.js/, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto('/projects', { waitUntil: 'commit' });
    await page.locator('.arriving header').getByText('Bottega').waitFor();
    await page.locator('.arriving').getByRole('link', { name: 'Quick' }).waitFor();
    await vi.waitFor(() => expect(asked.filter((path) => path.includes('projects-screen'))).not.toEqual([]));
    const placeOfRow = async () => (await page.locator('tbody tr').first().boundingBox())?.y ?? 0;
    const early = await placeOfRow();
    script.resolve();
    await page.getByRole('main').getByRole('link', { name: 'Quick' }).waitFor();
    expect(await page.locator('.arriving').count()).toBe(0);
    expect(Math.abs((await placeOfRow()) - early)).toBeLessThan(3);
    expect(asked.filter((path) => /^\/v1\/(auth\/session|projects\?sort=)/.test(path))).toEqual([]);
  });

  test('opens the item of a row by a click anywhere in the row, but not while the user selects text', async () => {
    const user = await service.createUser();
    await createProject(service, user, { name: 'Rows', description: 'Words to select' });
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByRole('main').locator('tbody').waitFor();
    await dragAcross(page, 'Words to select');
    expect(await page.evaluate('String(window.getSelection())')).toContain('Words');
    expect(page.url()).toMatch(/\/projects$/);
    await page.evaluate('window.getSelection().removeAllRanges()');
    await page.locator('tbody tr td').last().click();
    await page.waitForURL(/\/projects\/prj_\w+\/overview/);
  });

  test('of an empty project has the commands to fill it, and creates a key with one click', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const project = await createProject(service, user, { name: 'Empty' });
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${project.id}`);
    await page.getByText('This project has no files yet').waitFor();
    await page.getByText(`git clone ${service.url}/git/${project.id}.git`).waitFor();
    await look(page, 'overview-empty');
    await page.getByRole('button', { name: 'Create a key for these commands' }).click();
    await page.getByText(/git clone http:\/\/git:btg_live_\w+@/).waitFor();
  });

  test('of a project shows its README, its address, its commits and its people', async () => {
    const place = await newPlace(service, { name: 'Atlas' });
    await writeFile(place, '/README.md', '# Atlas\n\nMaps of *everything*, see [the code](src/main.ts).\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}`);
    await page.getByRole('heading', { name: 'Atlas', level: 2 }).waitFor();
    await page.getByText('Not online yet').waitFor();
    await page.getByRole('region', { name: 'Latest commits' }).getByRole('link').last().waitFor();
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByText(`${place.user.name} added /README.md`).waitFor();
    await writeFile(place, '/notes.txt');
    await activity.getByText(`${place.user.name} added 2 files`).waitFor();
    await look(page, 'overview');
    await page.getByRole('link', { name: 'the code' }).click();
    await page.waitForURL(/files\?path=%2Fsrc%2Fmain.ts/);
  });

  test('of a long commit contains only the files in view, and finds any of its files', async () => {
    const place = await newPlace(service, { name: 'Large' });
    const changes = Array.from({ length: 1000 }, (_, index) => ({
      action: 'create',
      path: `/part${index % 10}/file${index}.ts`,
      content: 'export {};\n'.repeat(20),
    }));
    const { body } = await inProject<{ sha: string }>(place, 'POST', '/commits', {
      json: { message: 'All at once', changes },
    });
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/history/${body.sha}`);
    await page.getByText('1000 files changed').waitFor();
    expect(await page.locator('*').count()).toBeLessThan(8_000);
    await look(page, 'commit-long');
    await page.getByLabel('Find a file in this commit').fill('file999');
    await page.getByRole('button', { name: '/part9/file999.ts', expanded: false }).click();
    await page.getByRole('button', { name: '/part9/file999.ts', expanded: true }).waitFor();
    // The list did not include its diff.
    await page.getByRole('region', { name: 'Changes in /part9/file999.ts' }).getByText('+export {};').first().waitFor();
    await page.getByLabel('Find a file in this commit').fill('');
    const shown = () => page.locator('#section section.surface').count();
    const before = await shown();
    await page.mouse.wheel(0, 100_000);
    await vi.waitFor(async () => expect(await shown()).toBeGreaterThan(before), { timeout: 30_000 });
    expect(await shown()).toBeLessThan(1000);
  });

  test('never shows the content of one section below the tab of another', async () => {
    const place = await newPlace(service, { name: 'Slow' });
    await writeFile(place, '/README.md', '# Slow and steady\n');
    const page = await browser.open(service.url, { user: place.user });
    const code = Promise.withResolvers<void>();
    await page.route(/\/assets\/people-screen-.*\.js/, async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto(`/projects/${place.projectId}`);
    await page.getByRole('heading', { name: 'Slow and steady' }).waitFor();
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'Slow and steady' }).waitFor({ state: 'hidden' });
    await page.getByRole('tabpanel').getByRole('status', { name: 'Loading' }).waitFor();
    code.resolve();
    await page.getByLabel('Role', { exact: true }).waitFor();
  });

  test('is used by keyboard: the palette has actions of the project and recent files, and ? shows all keys', async () => {
    const place = await newPlace(service, { name: 'Keys' });
    await writeFile(place, '/notes.txt', 'one\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/files?path=/notes.txt`);
    await page.getByLabel('Content of /notes.txt').waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText('No README').waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByLabel('Search or jump to…');
    await field.fill('notes');
    await page.getByRole('dialog').getByText('/notes.txt').waitFor();
    await field.fill('deploy');
    await page.getByRole('dialog').getByText('Deploy…').waitFor();
    await look(page, 'palette-project');
    await page.keyboard.press('Enter');
    await page.waitForURL(/deployments\?deploy=true/);
    await page.goto(`/projects/${place.projectId}`);
    await page.getByText('No README').waitFor();
    // The palette is loaded after the first paint.
    await vi.waitFor(
      async () => {
        await page.keyboard.press('Shift+?');
        expect(await page.getByRole('dialog').getByText('Keyboard shortcuts').count()).toBeGreaterThan(0);
      },
      { timeout: 30_000, interval: 1000 },
    );
    await look(page, 'shortcuts');
  });
});

describeInBrowser('on a phone', () => {
  test('no screen is wider than the page', async () => {
    const place = await newPlace(service, { name: 'A project with quite a long name, as people give them' });
    await writeFile(place, '/README.md', `# Wide\n\n${'long'.repeat(60)}\n`);
    await writeFile(place, '/a/very/deep/folder/with-a-file-that-has-a-long-name.config.json', '{}');
    const page = await browser.open(service.url, { user: place.user, width: 390, height: 844 });
    const project = `/projects/${place.projectId}`;
    const screens = [
      ...['/projects', '/new', '/invitations', '/webhooks', '/webhooks/new', '/welcome'],
      ...['overview', 'files', 'history', 'deployments', 'people', 'webhooks', 'connect', 'settings'].map(
        (section) => `${project}/${section}`,
      ),
      ...['profile', 'security', 'connect', 'keys', 'services', 'apps', 'authorized', 'usage', 'audit'].map(
        (section) => `/settings/${section}`,
      ),
      `${project}/files?path=/a/very/deep/folder/with-a-file-that-has-a-long-name.config.json`,
    ];
    const wide: string[] = [];
    for (const screen of screens) {
      await page.goto(screen);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');
      if (await isWiderThanPage(page)) wide.push(screen);
    }
    expect(wide).toEqual([]);
    await page.goto(`${project}/overview`);
    await page.getByRole('heading', { name: 'Wide' }).waitFor();
    await lookOnPhone(page, 'overview-phone');
  });
});

async function dragAcross(page: Page, text: string): Promise<void> {
  const box = await page.getByText(text).boundingBox();
  if (!box) throw new Error(`${text} is not seen`);
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + 80, middle, { steps: 5 });
  await page.mouse.up();
}

const isWiderThanPage = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
