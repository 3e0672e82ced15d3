import { expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { useForeignServer } from '../../server/src/repository/smart-http/git-server.fixture.ts';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const git = useGitClient(service);
const foreign = useForeignServer(git.root);

describeInBrowser('projects', () => {
  test('are created, found, sorted and paged by the URL, archived, deleted by typing the name, and restored', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByText('No projects yet').waitFor();
    await look(page, 'projects-empty');

    await page.getByRole('main').getByRole('link', { name: 'New project' }).click();
    await page.getByRole('heading', { name: 'New project' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Compiler');
    await page.getByLabel('Description').fill('From source to something that runs');
    await look(page, 'new-project');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(/\/projects\/prj_\w+\/files/);
    await page.getByText('This project has no files yet').waitFor();
    const address = page.url();

    for (let number = 1; number <= 21; number++) await createProject(service, user, { name: `Sample ${number}` });
    await page.goto('/projects?sort=name');
    await page.getByText('22 projects').waitFor();
    await page.getByText('Page 1 of 2').waitFor();
    await look(page, 'projects');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    await page.getByRole('link', { name: 'Sample 9' }).waitFor();
    await page.getByLabel('Search by name or description').fill('something that');
    await page.waitForURL(/q=something/);
    await page.getByRole('link', { name: 'Compiler' }).waitFor();
    await page.getByText('1 project', { exact: true }).waitFor();
    await page.reload();
    expect(await page.getByLabel('Search by name or description').inputValue()).toBe('something that');

    await page.goto(address.replace('/files', '/settings'));
    await page.getByLabel('Name', { exact: true }).fill('Interpreter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Interpreter', level: 1 }).waitFor();
    await page.getByRole('switch', { name: 'Public' }).click();
    await page.getByRole('switch', { name: 'Public', checked: true }).waitFor();
    await look(page, 'project-settings');
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('This project is archived and read-only').waitFor();
    const id = /prj_\w+/.exec(address)?.[0] ?? '';
    const stored = await call('GET', `${service.url}/v1/projects/${id}`, { token: user.key });
    expect(stored.body).toMatchObject({ name: 'Interpreter', status: 'archived', settings: { public: true } });
    await page.getByRole('button', { name: 'Restore from archive' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete this project' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete this project' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Interpreter to confirm').fill('Interpreter');
    await look(page, 'project-delete');
    await confirm.click();
    await page.waitForURL('**/projects');
    await page.getByText('21 projects').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(/\/settings$/);
    await page.getByRole('heading', { name: 'Interpreter', level: 1 }).waitFor();
  });

  test('are starred by mouse and by keyboard, found among the starred ones, and still starred after a reload', async () => {
    const [user, other] = [await service.createUser(), await service.createUser({ name: 'Olga' })];
    for (const name of ['Alpha', 'Beta', 'Gamma']) await createProject(service, user, { name });
    await createProject(service, other, { name: 'Everybody reads', settings: { public: true } });
    const page = await browser.open(service.url, { user, width: 1440 });
    const star = (name: string, pressed: boolean) => page.getByRole('button', { name: `Star: ${name}`, pressed });
    await page.goto('/projects');
    await star('Beta', false).click();
    await star('Beta', true).waitFor();
    expect(page.url()).toMatch(/\/projects$/);
    await star('Gamma', false).focus();
    await page.keyboard.press('Space');
    await star('Gamma', true).waitFor();
    await look(page, 'projects-starred');
    await page.keyboard.press('Enter');
    await star('Gamma', false).waitFor();

    await page.goto('/explore');
    await star('Everybody reads', false).click();
    await star('Everybody reads', true).waitFor();
    await page.goto('/projects');
    await page.getByRole('button', { name: 'Starred' }).click();
    await page.waitForURL(/starred=true/);
    await page.getByText('2 projects').waitFor();
    await page.getByRole('link', { name: 'Everybody reads' }).waitFor();
    expect(await page.getByRole('link', { name: 'Alpha' }).count()).toBe(0);
    await look(page, 'projects-only-starred');
    await page.setViewportSize({ width: 390, height: 840 });
    await lookOnPhone(page, 'projects-only-starred-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);

    await page.getByRole('link', { name: 'Beta' }).click();
    await page.getByRole('heading', { name: 'Beta', level: 1 }).waitFor();
    await star('Beta', true).click();
    await star('Beta', false).waitFor();
    await page.goto('/projects?starred=true');
    await page.getByText('1 project', { exact: true }).waitFor();
  });

  test('are reached by keyboard: the palette finds a project and a screen', async () => {
    const user = await service.createUser();
    await createProject(service, user, { name: 'Lighthouse' });
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByLabel('Search or jump to…');
    await field.waitFor();
    await look(page, 'palette');
    await field.fill('lightho');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\/prj_\w+\/overview/);
  });

  test('an invitation is sent, its link leads through the sign-in to the project, and the invited role applies', async () => {
    const owner = await service.createUser({ name: 'Olga' });
    const guest = await service.createUser({ name: 'Gus' });
    const project = await createProject(service, owner, { name: 'Shared' });
    const page = await browser.open(service.url, { user: owner });
    await page.goto(`/projects/${project.id}/people`);
    await page.getByLabel('E-mail', { exact: true }).fill(guest.email);
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Create invitation link' }).click();
    const link = page.getByLabel('Invitation link', { exact: true });
    await link.waitFor();
    await look(page, 'people');
    const former = await link.textContent();
    await page.getByRole('button', { name: `New link: ${guest.email}` }).click();
    const anew = page.getByRole('dialog').getByLabel('Invitation link', { exact: true });
    await anew.waitFor();
    await look(page, 'people-again');
    expect(await anew.textContent()).not.toBe(former);

    const other = await browser.open(service.url);
    await other.goto(new URL((await anew.textContent()) ?? '').pathname);
    await other.getByLabel('E-mail').fill(guest.email);
    await other.getByLabel('Password', { exact: true }).fill('correct horse');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('Shared, as viewer').waitFor();
    await look(other, 'invitation');
    await other.getByRole('button', { name: 'Accept' }).click();
    await other.waitForURL(/\/overview/);
    await other.getByText('Files will appear here when somebody adds them.').waitFor();
    await other.goto(`/projects/${project.id}/people`);
    await other.getByRole('button', { name: 'Leave project' }).waitFor();
    expect(await other.getByRole('button', { name: 'Create invitation link' }).count()).toBe(0);
    await other.goto('/invitations');
    await other.getByText('No invitations').waitFor();
    await look(other, 'invitations');
  });

  test('an unknown project is explained in words, and an ended session leads to the sign-in and back', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    await page.goto('/projects/prj_01jd2m6vz8e3r9x5k7q4w1t0ab/files');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await look(page, 'not-found');
    await page.goto('/projects');
    await page.getByText('No projects yet').waitFor();
    const atSignIn = page.waitForURL(/\/sign-in\?next=/);
    await page.context().clearCookies();
    // The page's own requests may notice the end before the click, or during it.
    const link = page.getByRole('link', { name: 'Invitations' });
    await Promise.all([atSignIn, link.click({ timeout: 5_000 }).catch(() => undefined)]);
    await page.getByText('Your session has ended').waitFor();
    const next = new URL(page.url()).searchParams.get('next');
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**${next}`);
    await page.getByText(next === '/invitations' ? 'No invitations' : 'No projects yet').waitFor();
  });

  test('a phone shows the list without scrolling sideways, and the menu on demand', async () => {
    const user = await service.createUser();
    const project = await createProject(service, user, { name: 'Pocket' });
    await writeFile({ service, user, projectId: project.id }, '/src/main.ts', 'export const one = 1;\n');
    const page = await browser.open(service.url, { user, width: 375, height: 740 });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Pocket' }).waitFor();
    await lookOnPhone(page, 'projects-phone');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await lookOnPhone(page, 'settings-phone');
    for (const [place, name] of [
      ['files?path=/src/main.ts', 'files-phone'],
      ['people', 'people-phone'],
      ['history', 'history-phone'],
    ]) {
      await page.goto(`/projects/${project.id}/${place}`);
      await page.getByRole('tabpanel').waitFor();
      await lookOnPhone(page, name ?? '');
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), name).toBe(0);
    }
  });

  test('a project is created from a template and has its files at once', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const page = await browser.open(service.url, { user });
    await page.goto('/new?from=template');
    await page.getByRole('button', { name: /^Use: Static/ }).waitFor();
    const cards = await page.getByRole('button', { name: /^Use: / }).count();
    expect(await page.getByRole('main').locator('svg[aria-hidden][viewBox="0 0 120 48"]').count()).toBe(cards);
    await look(page, 'templates');
    await page.setViewportSize({ width: 390, height: 840 });
    await lookOnPhone(page, 'templates-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: /^Use: Static/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('My pages');
    await look(page, 'from-template');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  });

  test('a project is imported by its address: an error is shown, and the import can be tried again', async () => {
    const user = await service.createUser();
    const source = await git.repository();
    await source.commit('First', { 'hello.txt': 'hello' });
    const name = source.directory.split('/').at(-1) ?? '';
    const page = await browser.open(service.url, { user });
    await page.goto('/new?from=import');
    await page.getByLabel('Repository URL').fill(`${foreign.url}/${name}`);
    await page.getByLabel('Branch', { exact: true }).fill('nowhere');
    await page.getByLabel('Name', { exact: true }).fill('Nothing');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('The import failed').waitFor();
    await look(page, 'import-failed');
    await page.getByRole('link', { name: 'Change the URL or branch' }).click();
    await page.getByLabel('Branch', { exact: true }).fill('main');
    await look(page, 'repository');
    await page.getByRole('button', { name: 'Import again' }).click();
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByRole('treeitem', { name: 'hello.txt' }).waitFor();

    await page.goto('/new?from=import');
    await page.getByLabel('Repository URL').fill(`${foreign.url}/${name}`);
    await page.getByLabel('Branch', { exact: true }).focus();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('The repository is imported.').waitFor();
    await page.getByRole('link', { name: 'Open project' }).click();
    await page.getByRole('treeitem', { name: 'hello.txt' }).waitFor();
  });

  test('while the service is unavailable, the page says so, and it recovers by itself', async () => {
    const user = await service.createUser();
    await createProject(service, user, { name: 'Island' });
    const page = await browser.open(service.url, { user });
    await page.goto('/projects');
    await page.getByRole('link', { name: 'Island' }).waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Search by name or description').fill('isl');
    await page.getByText('The service cannot be reached. What you see may be out of date').waitFor();
    await look(page, 'offline');
    await page.context().setOffline(false);
    await page.getByText('The service cannot be reached. What you see may be out of date').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Island' }).waitFor();
  });
});
