import type { File } from '@bottega/contract';
import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { inProject, newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

describeInBrowser('the files of a project', () => {
  test('an edit keeps the line endings of all other lines', async () => {
    const place = await newPlace(service, { name: 'Ends' });
    const page = await browser.open(service.url, { user: place.user });
    const files = { '/dos.txt': 'one\r\ntwo\r\n', '/mixed.txt': 'one\r\ntwo\nthree\n' };
    for (const [path, content] of Object.entries(files)) {
      await writeFile(place, path, content);
      await page.goto(`/projects/${place.projectId}/files?path=${encodeURIComponent(path)}`);
      await page.getByLabel(`Content of ${path}`).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('0 ');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await contentOf(place, path)).toBe(`0 ${content}`);
    }
  });

  test('a file is created, written, saved as a commit, moved, found, deleted and restored from the history', async () => {
    const place = await newPlace(service, { name: 'Atlas' });
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/files`);
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('/src/main.ts');
    await page.getByRole('dialog').getByRole('button', { name: 'New file' }).click();
    const text = page.getByLabel('Content of /src/main.ts');
    await text.click();
    await page.keyboard.type('export const answer: number = 42; // found');
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    const stored = await contentOf(place, '/src/main.ts');
    expect(stored).toBe('export const answer: number = 42; // found');
    await writeFile(place, '/README.md', '# Atlas\n\nMaps of *everything*.\n');
    await page.reload();
    await page.getByRole('treeitem', { name: 'src' }).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/path=%2FREADME.md/);
    await page
      .getByRole('treeitem', { name: /main.ts/ })
      .last()
      .getByText('main.ts')
      .click();
    await page.getByLabel('Content of /src/main.ts').waitFor();
    await look(page, 'files');

    await page.keyboard.press('Control+p');
    await page.getByRole('dialog').getByLabel('Open a file…').fill('rdme');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/path=%2FREADME.md/);

    await page.getByRole('button', { name: 'Search in project' }).click();
    await page.getByLabel('Text to find in all files').fill('answer');
    await page.getByRole('button', { name: /export const answer/ }).click();
    await page.waitForURL(/main.ts.*line=1/);
    await look(page, 'search');
    await page.getByRole('button', { name: 'Close Search in project' }).click();

    await page.getByRole('button', { name: 'Actions for main.ts' }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('/lib/index.ts');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename or move' }).click();
    await page.waitForURL(/path=%2Flib%2Findex.ts/);
    await page.getByRole('button', { name: 'Actions for index.ts' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted /lib/index.ts').waitFor();
    expect(await pathsOf(place)).toEqual(['/README.md']);

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('link', { name: /Delete/ }).waitFor();
    await look(page, 'history');
    await page.getByRole('link', { name: /Delete/ }).click();
    await page.getByText('-export const answer').waitFor();
    await look(page, 'commit');
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('Restored /lib/index.ts').waitFor();
    expect(await contentOf(place, '/lib/index.ts')).toBe(stored);
  });

  test('a truncated commit is shown with a sentence that says so, in both languages', async () => {
    const place = await newPlace(service, { name: 'Large' });
    await writeFile(place, '/a.txt', 'a\n');
    const commits = await inProject<{ data: { sha: string }[] }>(place, 'GET', '/commits');
    const page = await browser.open(service.url, { user: place.user });
    // A commit of thousands of files takes minutes to make; another test covers the truncation.
    await page.route(/\/commits\/\w+(\?|$)/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), truncated: true } });
    });
    await page.goto(`/projects/${place.projectId}/history/${commits.body.data[0]?.sha}`);
    await page.getByText('This commit is too large to show in full.').waitFor();
    await page.getByText('1 changed file shown').waitFor();
    await look(page, 'commit-truncated');
    const json = { preferences: { language: 'de' } };
    await call('PATCH', `${service.url}/v1/user`, { token: place.user.key, json });
    await page.reload();
    await page.getByText('Dieser Commit ist zu groß, um ihn vollständig anzuzeigen.').waitFor();
    await page.getByText('1 geänderte Datei angezeigt').waitFor();
  });

  test('a change by somebody else is never overwritten unseen: both texts are shown, and the user chooses one', async () => {
    const place = await newPlace(service, { name: 'Two hands' });
    await writeFile(place, '/notes.txt', 'one\ntwo\nthree\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/files?path=/notes.txt`);
    await page.getByLabel('Content of /notes.txt').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('mine ');
    await writeFile(place, '/notes.txt', 'one\ntwo\ntheirs\n');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed this file').waitFor();
    await look(page, 'conflict');
    expect(await contentOf(place, '/notes.txt')).toBe('one\ntwo\ntheirs\n');
    await page.getByRole('button', { name: 'Save the right side' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentOf(place, '/notes.txt')).toBe('mine one\ntwo\nthree\n');
  });

  test('a text that is saved twice before the first answer does not conflict with itself', async () => {
    const place = await newPlace(service, { name: 'Quick hands' });
    await writeFile(place, '/notes.txt', 'one\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/files?path=/notes.txt`);
    const isTyped = Promise.withResolvers<void>();
    await page.route(/\/v1\/projects\/\w+\/files$/, async (route) => {
      await isTyped.promise;
      await route.continue();
    });
    await page.getByLabel('Content of /notes.txt').click();
    await page.keyboard.press('Control+Home');
    for (const words of ['first ', 'second ']) {
      await page.keyboard.type(words);
      await page.keyboard.press('Control+s');
      await page.getByText('Saving…').waitFor();
    }
    isTyped.resolve();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentOf(place, '/notes.txt')).toBe('first second one\n');
    expect(await page.getByText('Somebody else changed this file').count()).toBe(0);
  });

  test('files are uploaded byte for byte, and leaving the page with unsaved changes asks for confirmation', async () => {
    const place = await newPlace(service, { name: 'Bytes' });
    await writeFile(place, '/a.txt', 'a\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(`/projects/${place.projectId}/files?path=/a.txt`);
    const bytes = Buffer.from([0, 1, 2, 255]);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'raw.bin', mimeType: 'application/octet-stream', buffer: bytes });
    await page.getByText('1 file uploaded').waitFor();
    await page.getByRole('treeitem', { name: 'raw.bin' }).getByText('raw.bin').click();
    await page.getByText('This file is not text.').waitFor();

    await page.getByRole('treeitem', { name: 'a.txt' }).getByText('a.txt').click();
    await page.getByLabel('Content of /a.txt').click();
    await page.keyboard.type('draft ');
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('dialog').getByText('You have unsaved changes').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain('/files');
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/people/);
    expect(await contentOf(place, '/a.txt')).toBe('a\n');
  });
});

type Place = Awaited<ReturnType<typeof newPlace>>;

async function filesOf(place: Place): Promise<File[]> {
  const { body } = await inProject<{ data: File[] }>(place, 'GET', '/files?recursive=true&type=file');
  return body.data;
}

const pathsOf = async (place: Place) => (await filesOf(place)).map(({ path }) => path);

async function contentOf(place: Place, path: string): Promise<string> {
  const file = (await filesOf(place)).find((one) => one.path === path);
  return (await inProject(place, 'GET', `/files/${file?.id}/content`)).text;
}
