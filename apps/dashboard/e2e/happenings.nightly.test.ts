import { expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';

describeInBrowser('a change that was made elsewhere', () => {
  const service = useTestService();
  const browser = useBrowser();

  test('is shown without reloading: a file that the API wrote, and a project that the API created', async () => {
    const user = await service.createUser();
    const project = await createProject(service, user, { name: 'Watched' });
    await writeFile({ service, user, projectId: project.id }, '/first.txt', 'one\n');
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${project.id}/files`);
    await page.getByRole('treeitem', { name: 'first.txt' }).waitFor();
    await writeFile({ service, user, projectId: project.id }, '/second.txt', 'two\n');
    await page.getByRole('treeitem', { name: 'second.txt' }).waitFor();

    await page.getByRole('link', { name: 'Bottega' }).click();
    await page.getByRole('link', { name: 'Watched' }).waitFor();
    await createProject(service, user, { name: 'Newcomer' });
    await page.getByRole('link', { name: 'Newcomer' }).waitFor();
  });

  test('is followed by one connection for each page, and by no connection after signing out', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/events')) asked.push(request.url());
    });
    await page.goto('/projects');
    await page.getByText('No projects yet').waitFor();
    await page.getByRole('link', { name: 'Invitations' }).click();
    await page.getByText('No invitations').waitFor();
    await waitFor('the stream', () => asked.length > 0);
    expect(asked).toHaveLength(1);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect(asked).toHaveLength(1);
  });
});
