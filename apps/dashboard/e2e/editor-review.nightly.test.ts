import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import {
  contentAt,
  inProject,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { draftsIn } from './drafts.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const path = '/greet.ts';
const lines = Array.from({ length: 30 }, (_, index) => `export const number${index + 1} = ${index + 1};`);
const text = `${lines.join('\n')}\n`;
const changed = text.replace('number3 = 3', 'number3 = 33');

/** Ada offers a branch, and Bob says something about two of its lines. */
async function discussed() {
  const ada = await service.createUser({ name: 'Ada Lovelace' });
  const bob = await service.createUser({ name: 'Bob' });
  const place = await newPlace(service, { name: 'Greetings', settings: { auto_save: false } }, ada);
  await addCollaborator(service, place.projectId, bob, { role: 'editor' });
  await writeFile(place, path, text);
  await inProject(place, 'POST', '/branches', { json: { name: 'french' } });
  const feature = { ...place, branch: 'french' };
  await putFile(feature, { path, content: changed });
  const json = { source: 'french', title: 'Another number' };
  expect((await inProject(place, 'POST', '/merge-requests', { json })).status).toBe(201);
  const asBob = { ...place, user: bob };
  await say(asBob, { path, line: 3, body: 'Is *this* right?\n\n```suggestion\nexport const number3 = 333;\n```' });
  await say(asBob, { path, line: 20, body: 'And this one?' });
  return { ada, bob, place, feature, asBob, url: `/projects/${place.projectId}/files?ref=french&path=${path}` };
}

async function say(place: Place, json: object): Promise<void> {
  const answer = await inProject(place, 'POST', '/merge-requests/1/threads', { json });
  expect(answer.status, answer.text).toBe(201);
}

const editorOf = (page: Page) => page.getByLabel(`Content of ${path}`);
const markedLines = (page: Page) => page.locator('.commented').allTextContents();
const areMarked = (page: Page, ...expected: string[]) =>
  waitFor(`${expected} are marked`, async () => (await markedLines(page)).join() === expected.join());
const [third = '', twentieth = ''] = [changed.split('\n')[2], lines[19]];

async function typeAt(page: Page, line: number, ...keys: string[]): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+Home');
  for (let down = 1; down < line; down++) await page.keyboard.press('ArrowDown');
  for (const key of keys) await page.keyboard.press(key);
}

describeInBrowser('threads of a merge request in the editor', () => {
  test('stay at their lines while text is typed, deleted and undone, after a reload, and in a new version', async () => {
    const { ada, url, feature } = await discussed();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(url);
    await areMarked(page, third, twentieth);
    await page.locator('.comment-bubble[data-comment^=mrt]').first().click();
    const card = page.getByRole('article', { name: `Thread on ${path}, line 3` });
    await card.getByText('Is this right?').waitFor();
    await look(page, 'editor-threads');

    await typeAt(page, 1, 'Enter', 'Enter');
    await areMarked(page, third, twentieth);
    await page.getByRole('button', { name: 'Line 22', exact: true }).waitFor();
    await typeAt(page, 5, 'Shift+ArrowDown', 'Delete');
    await areMarked(page, twentieth);
    await page.getByText('These lines are not in this text.').waitFor();
    await page.keyboard.press('Control+z');
    await areMarked(page, third, twentieth);
    await typeAt(page, 5, 'End', 'Backspace');
    const edited = third.slice(0, -1);
    await areMarked(page, edited, twentieth);
    await waitFor('the draft is kept', async () =>
      (await draftsIn(page)).some((draft) => draft.includes(`${edited}\n`)),
    );
    await page.reload();
    await areMarked(page, edited, twentieth);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await putFile(feature, { path, content: `// A new version\n${await contentAt(feature, path)}` });
    await page.getByRole('button', { name: 'Line 23', exact: true }).waitFor();
    await areMarked(page, edited, twentieth);
  });

  test('are answered on a phone, from the palette, and their suggestions are applied', async () => {
    const { ada, url, feature } = await discussed();
    const page = await browser.open(service.url, { user: ada, width: 390, height: 844 });
    await page.goto(url);
    await areMarked(page, third, twentieth);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('threads');
    await page.keyboard.press('Enter');
    const card = page.getByRole('article', { name: `Thread on ${path}, line 3` });
    await card.getByRole('button', { name: 'Apply', exact: true }).waitFor();
    await lookOnPhone(page, 'editor-threads-phone');
    await card.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('1 suggestion applied').waitFor();
    await editorOf(page).getByText('number3 = 333;').waitFor();
    // The line that the thread was about is gone.
    await areMarked(page, twentieth);
    expect(await contentAt(feature, path)).toContain('number3 = 333;');
  });

  test('are shown beside the people and comments of a live session', async () => {
    const { ada, url, asBob } = await discussed();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(url);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Live. All changes are stored.').waitFor();
    await areMarked(page, third, twentieth);
    await typeAt(page, 1, 'Enter');
    await page.locator('.comment-bubble[data-comment^=mrt]').nth(1).click();
    await page
      .getByRole('article', { name: `Thread on ${path}, line 20` })
      .getByText('And this one?')
      .waitFor();
    await page.getByRole('button', { name: 'Line 21', exact: true }).waitFor();
    await look(page, 'editor-threads-live');
    await say(asBob, { path, line: 5, body: 'Five?' });
    await page.reload();
    await areMarked(page, third, 'export const number5 = 5;', twentieth);
  });
});

describeInBrowser('a protected branch in the editor', () => {
  const protect = (place: Place) =>
    inProject(place, 'POST', '/branch-rules', { json: { pattern: 'main', no_direct_push: true } });

  test('is read-only and says why, at every width, and only members who can edit can start a branch', async () => {
    const { ada, place } = await discussed();
    await protect(place);
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/files?path=${path}`);
    await page.getByText('main changes only by merge requests.').waitFor();
    await editorOf(page).click();
    await page.keyboard.type('nothing');
    expect(await editorOf(page).textContent()).not.toContain('nothing');
    expect(await page.getByRole('button', { name: 'New file' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for greet.ts' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Download', 'Share by link', 'History']);
    await page.keyboard.press('Escape');
    await look(page, 'editor-protected');
    await page.getByRole('button', { name: 'Edit on a branch' }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'editor-edit-on-branch');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(page, 'editor-protected-phone');
    await page.goto(`/projects/${place.projectId}/files`);
    await page.getByText('main changes only by merge requests.').waitFor();
    await lookOnPhone(page, 'editor-protected-phone-tree');

    const viewer = await service.createUser();
    await addCollaborator(service, place.projectId, viewer, { role: 'viewer' });
    const other = await browser.open(service.url, { user: viewer });
    await other.goto(`/projects/${place.projectId}/files?path=${path}`);
    await other.getByText('Read-only', { exact: true }).waitFor();
    expect(await other.getByRole('button', { name: 'Edit on a branch' }).count()).toBe(0);
  });

  test('lets a session that becomes read-only continue with its text on a branch', async () => {
    const { ada, place } = await discussed();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/files?path=${path}`);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Live. All changes are stored.').waitFor();
    await editorOf(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// Typed in a session\n');
    await page.getByText('Live. All changes are stored.').waitFor();
    await protect(place);
    await page.getByText('main changes only by merge requests.').waitFor();
    await look(page, 'live-protected');
    await page.getByRole('button', { name: 'Edit on a branch' }).click();
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.waitForURL(/ref=ada-lovelace-greet/);
    await editorOf(page).getByText('// Typed in a session').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Open a merge request' }).waitFor();
    await look(page, 'editor-offer');
    expect(await contentAt({ ...place, branch: 'ada-lovelace-greet' }, path)).toContain('// Typed in a session\n');
    expect(await contentAt(place, path)).toBe(text);
  });
});
