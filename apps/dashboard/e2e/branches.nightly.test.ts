import { expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { contentAt, newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const git = useGitClient(service);

const text = (line: string) => `# Guide\n\n${line}\n\nThe end.\n`;

/** Ada works on main, Dev on a branch that he pushed; both changed the same line. */
async function twoPeople() {
  const ada = await service.createUser({ name: 'Ada' });
  const dev = await service.createUser({ name: 'Dev' });
  const place = await newPlace(service, { name: 'Guidebook' }, ada);
  await addCollaborator(service, place.projectId, dev, { role: 'editor' });
  await writeFile(place, '/guide.md', text('Once upon a time.'));
  const clone = await git.clone(place.projectId, dev);
  await clone.git('checkout', '--quiet', '-b', 'feature');
  await clone.commit('Begin otherwise', { 'guide.md': text('It was a dark night.'), 'notes.md': 'Notes\n' });
  await clone.git('push', '--quiet', 'origin', 'feature');
  await writeFile(place, '/guide.md', text('Long, long ago.'));
  return { ada, dev, place, clone };
}

describeInBrowser('branches', () => {
  test('of two people conflict: the conflict is resolved in the browser, and a clone agrees with the screen', async () => {
    const { ada, place } = await twoPeople();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/branches`);
    await page.getByText('1 ahead, 1 behind').waitFor();
    await look(page, 'branches');
    await page.getByRole('link', { name: 'Compare: feature' }).click();
    await page.getByText('There is a conflict in 1 file').waitFor();
    await page.getByRole('link', { name: 'Begin otherwise' }).waitFor();
    await page.getByRole('region', { name: 'Changes in /guide.md' }).getByText('It was a dark night.').waitFor();
    await look(page, 'compare');

    await page.getByRole('button', { name: 'Resolve conflicts' }).click();
    await page.getByRole('dialog').getByLabel('Message').fill('Bring both together');
    await look(page, 'merge');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve conflicts' }).click();
    await page.getByText('0 of 1 files resolved').waitFor();
    const result = page.getByLabel('Result: /guide.md');
    await result.getByText('<<<<<<< main').waitFor();
    await look(page, 'conflicts');
    await page.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(page, 'phone-conflicts');
    await page.setViewportSize({ width: 1440, height: 900 });
    const merge = page.getByRole('button', { name: 'Merge feature into main' });
    expect(await merge.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Use feature', exact: true }).click();
    await page.getByText('1 of 1 files resolved').waitFor();
    await page.getByRole('button', { name: 'Use main', exact: true }).click();
    await result.click();
    await page.keyboard.press('Control+A');
    // Chromium would repeat the colour of replaced text as an inline style, which the page's policy refuses.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text('Long, long ago, in a dark night.'));
    await page.getByText('1 of 1 files resolved').waitFor();
    await merge.click();
    await page.getByText('Merged feature into main').waitFor();
    await page.getByText('main already contains all commits from feature.').waitFor();
    expect(await contentAt(place, '/guide.md')).toBe(text('Long, long ago, in a dark night.'));

    const clone = await git.clone(place.projectId, ada);
    await clone.git('fsck', '--strict');
    const graph = await clone.git('log', '--graph', '--format=%s');
    expect(graph.split('\n')[0]).toBe('*   Bring both together');
    await page.goto(`/projects/${place.projectId}/history`);
    const subjects = (await clone.git('log', '--format=%s')).split('\n');
    for (const subject of new Set(subjects)) await page.getByRole('link', { name: subject }).first().waitFor();
    expect(await page.locator('.rows > *').count()).toBe(subjects.length);
  });

  test('ask before resolutions are discarded, and never show the conflicts of other branches', async () => {
    const { ada, place } = await twoPeople();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/branches/compare?base=feature&head=main`);
    const swap = page.getByRole('button', { name: 'Swap' });
    await swap.click();
    await page.waitForURL(/base=main/);
    await page.getByRole('button', { name: 'Resolve conflicts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve conflicts' }).click();
    await page.getByText('0 of 1 files resolved').waitFor();
    await page.evaluate('history.back()');
    await swap.waitFor();
    await page.evaluate('history.forward()');
    await page.getByRole('button', { name: 'Use feature', exact: true }).click();
    await page.evaluate('history.back()');
    const question = page.getByRole('dialog', { name: 'Discard your resolutions?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByText('1 of 1 files resolved').waitFor();
    expect(page.url()).toContain('base=main');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await swap.waitFor();
  });

  test.each([1440, 390])(
    'with conflicts in one file are resolved conflict by conflict, at %i pixels',
    async (width) => {
      const ada = await service.createUser({ name: 'Ada' });
      const place = await newPlace(service, { name: 'Chapters' }, ada);
      const story = (first: string, second: string, third: string) =>
        [first, second, third].map((line) => `${line}\n${'The same in both.\n'.repeat(40)}`).join('');
      await writeFile(place, '/story.ts', story('const one = 1;', 'const two = 2;', 'const three = 3;'));
      const clone = await git.clone(place.projectId, ada);
      await clone.git('checkout', '--quiet', '-b', 'feature');
      await clone.commit('Words', {
        'story.ts': story("const one = 'one';", "const two = 'two';", "const three = 'three';"),
      });
      await clone.git('push', '--quiet', 'origin', 'feature');
      await writeFile(place, '/story.ts', story('const one = 10;', 'const two = 20;', 'const three = 30;'));
      const page = await browser.open(service.url, { user: ada, width, height: 900 });
      await page.goto(`/projects/${place.projectId}/branches/compare?base=main&head=feature`);
      await page.getByRole('button', { name: 'Resolve conflicts' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resolve conflicts' }).click();
      await page.getByText('Conflict 1 of 3').waitFor();
      const result = page.getByLabel('Result: /story.ts');
      await look(page, `conflict-hunks-${width}`);
      await page.getByRole('button', { name: 'Next conflict' }).click();
      await page.getByText('Conflict 2 of 3').waitFor();
      await result.getByText('const two = 20;').waitFor();
      // The side is scrolled to the same conflict.
      await page.getByLabel('On main', { exact: true }).last().getByText('const two = 20;').waitFor();
      await page.getByRole('button', { name: 'Previous conflict' }).click();
      await page.getByText('Conflict 1 of 3').waitFor();
      await page.getByRole('button', { name: 'Use main here' }).click();
      await page.getByText('Conflict 1 of 2').waitFor();
      await page.getByLabel('On main', { exact: true }).last().getByText('const two = 20;').waitFor();
      await page.getByRole('button', { name: 'Use feature here' }).click();
      await page.getByText('Conflict 1 of 1').waitFor();
      await page.getByText('0 of 1 files resolved').waitFor();
      await page.getByRole('button', { name: 'Use both here' }).click();
      await page.getByText('No conflict is left in this file.').waitFor();
      await page.getByText('1 of 1 files resolved').waitFor();
      await look(page, `conflict-resolved-${width}`);
      await page.getByRole('button', { name: 'Merge feature into main' }).click();
      await page.getByText('Merged feature into main').waitFor();
      const both = "const three = 30;\nconst three = 'three';";
      expect(await contentAt(place, '/story.ts')).toBe(story('const one = 10;', "const two = 'two';", both));
    },
  );

  test('are created, switched to, and deleted', async () => {
    const { dev, place } = await twoPeople();
    const page = await browser.open(service.url, { user: dev, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/files`);
    // Its styles come after those of the first load, and take precedence.
    await page.getByRole('tab', { name: 'Branches' }).waitFor();
    const padding = await page.evaluate("getComputedStyle(document.querySelector('[role=tab]')).paddingLeft");
    expect(padding).toMatch(/^[1-9]/);
    await page.getByRole('button', { name: 'Branch: main' }).click();
    await page.getByRole('menuitem', { name: 'feature' }).click();
    await page.waitForURL(/ref=feature/);
    await page.getByRole('treeitem', { name: 'notes.md' }).waitFor();
    await page.getByRole('treeitem', { name: 'guide.md' }).click();
    await page.getByLabel('Content of /guide.md').getByText('It was a dark night.').waitFor();
    await look(page, 'branch-files');
    // The file stays open where the other branch has it too.
    await page.getByRole('button', { name: 'Branch: feature' }).click();
    await page.getByRole('menuitem', { name: 'main', exact: true }).click();
    await page.getByLabel('Content of /guide.md').getByText('Long, long ago.').waitFor();
    await page.goto(`/projects/${place.projectId}/history?path=/guide.md`);
    await page.getByRole('button', { name: 'Branch: main' }).click();
    await page.getByRole('menuitem', { name: 'feature' }).click();
    await page.getByRole('link', { name: 'Begin otherwise' }).waitFor();
    expect(new URL(page.url()).searchParams.get('path')).toBe('/guide.md');
    await page.getByRole('button', { name: 'Branch: feature' }).click();
    await page.getByRole('menuitem', { name: 'All branches' }).click();

    await page.getByLabel('Name', { exact: true }).fill('idea/one');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByText('up to date').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('idea');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByText('The name conflicts with the branch idea/one').waitFor();
    await page.getByRole('button', { name: 'Delete: idea/one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted idea/one').waitFor();
    const left = await call<{ data: { name: string }[] }>(
      'GET',
      `${service.url}/v1/projects/${place.projectId}/branches`,
      { token: dev.key },
    );
    expect(left.body.data.map(({ name }) => name)).toEqual(['feature', 'main']);
  });

  test('are edited like main, and unsaved text moves to a new branch', async () => {
    const { dev, place } = await twoPeople();
    const onFeature = { ...place, branch: 'feature' };
    const page = await browser.open(service.url, { user: dev, width: 1440, height: 900 });
    const files = `/projects/${place.projectId}/files`;
    await page.goto(`${files}?ref=feature&path=/guide.md`);
    const content = page.getByLabel('Content of /guide.md');
    await content.getByText('It was a dark night.').waitFor();
    await content.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Stored ');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentAt(onFeature, '/guide.md')).toBe(`Stored ${text('It was a dark night.')}`);
    expect(await contentAt(place, '/guide.md')).toBe(text('Long, long ago.'));

    await page.keyboard.type('Typed ');
    await page.getByRole('button', { name: 'Branch: feature' }).click();
    await page.getByRole('menuitem', { name: 'New branch from here…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('idea');
    await look(page, 'new-branch-here');
    await page.getByRole('dialog').getByRole('button', { name: 'Create branch' }).click();
    await page.waitForURL(/ref=idea/);
    await content.getByText('Stored Typed # Guide').waitFor();
    await content.click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    const moved = `Stored Typed ${text('It was a dark night.')}`;
    expect(await contentAt({ ...place, branch: 'idea' }, '/guide.md')).toBe(moved);
    await page.getByRole('button', { name: 'Branch: idea' }).click();
    await page.getByRole('menuitem', { name: 'feature' }).click();
    await content.getByText('Stored # Guide').waitFor();
    expect(await page.getByText('Unsaved changes').count()).toBe(0);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${files}?ref=gone`);
    await page.getByText('There is no branch gone').waitFor();
    await lookOnPhone(page, 'phone-no-branch');
    await page.getByRole('link', { name: 'Go to main' }).click();
    await page.getByRole('treeitem', { name: 'guide.md' }).waitFor();
  });

  test('fit on a phone, in German too, and a viewer is not offered actions that would be refused', async () => {
    const { place } = await twoPeople();
    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    const page = await browser.open(service.url, { user: viewer, width: 390, height: 844 });
    await call('PATCH', `${service.url}/v1/user`, {
      token: viewer.key,
      json: { preferences: { language: 'de' } },
    });
    await page.goto(`/projects/${place.projectId}/branches`);
    await page.getByText('1 voraus, 1 zurück').waitFor();
    expect(await page.getByRole('button', { name: 'Branch anlegen' }).count()).toBe(0);
    await lookOnPhone(page, 'phone-branches');
    await page.getByRole('link', { name: 'Vergleichen: feature' }).click();
    await page.getByText('In 1 Datei gibt es einen Konflikt').waitFor();
    expect(await page.getByRole('button', { name: 'Konflikte lösen' }).count()).toBe(0);
    await lookOnPhone(page, 'phone-compare');
    await page.goto(`/projects/${place.projectId}/files?ref=feature&path=/guide.md`);
    await page.getByLabel('Inhalt von /guide.md').getByText('It was a dark night.').waitFor();
    await page.getByText('Schreibgeschützt').waitFor();
    await page.getByRole('button', { name: 'Branch: feature' }).click();
    await page.getByRole('menuitem', { name: 'Alle Branches' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Neuer Branch von hier…' }).count()).toBe(0);
    await lookOnPhone(page, 'phone-branch-files');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});
