import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import {
  contentAt,
  inProject,
  newPlace,
  type Place,
  writeFile,
} from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const filesOf = ({ projectId }: Place, path: string) => `/projects/${projectId}/files?path=${path}`;
const group = (page: Page, number: number) => page.getByRole('region', { name: `Group ${number} of the editor` });
const contentIn = (inside: Page | Locator, path: string) => inside.getByLabel(`Content of ${path}`, { exact: true });
const tabsIn = (inside: Page | Locator) =>
  inside.getByRole('group', { name: 'Open files' }).locator('button[title]').allInnerTexts();
const status = (page: Page) => page.getByRole('region', { name: 'Status of the editor' });

async function newFiles(name: string) {
  const place = await newPlace(service, { name });
  for (const path of ['/a.txt', '/b.txt', '/c.txt']) await writeFile(place, path, `one of ${path}\ntwo\n`);
  return place;
}

async function openSplit(place: Awaited<ReturnType<typeof newFiles>>, path = '/a.txt'): Promise<Page> {
  const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
  await page.goto(filesOf(place, path));
  await contentIn(page, path).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Backslash');
  await contentIn(group(page, 2), path).waitFor();
  return page;
}

describeInBrowser('two groups of tabs', () => {
  test('a file that is open in both groups is one text with one history, and each editor keeps its cursor', async () => {
    const place = await newFiles('One text');
    const page = await openSplit(place);
    const [left, right] = [contentIn(group(page, 1), '/a.txt'), contentIn(group(page, 2), '/a.txt')];
    // The new group has the keyboard.
    await page.keyboard.type('right ');
    await left.getByText('right one of').waitFor();
    await status(page).getByText('Ln 1, Col 7').waitFor();
    await left.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('left');
    await right.getByText('left').waitFor();
    await status(page).getByText('Ln 3, Col 5').waitFor();
    await look(page, 'split-one-text');
    await page.keyboard.press('Control+z');
    await right.getByText('left').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await right.getByText('right').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+y');
    await right.getByText('right one of').waitFor();
    await right.click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentAt(place, '/a.txt')).toBe('right one of /a.txt\ntwo\n');
    // The text stays open in the other group, so nothing is asked.
    await right.click();
    await page.keyboard.type('x');
    await group(page, 2).getByRole('button', { name: 'Close a.txt' }).click();
    await contentIn(page, '/a.txt').getByText('x', { exact: true }).waitFor();
    expect(await group(page, 2).count()).toBe(0);
  });

  test('the tree opens files in the focused group, and the path, the status and saving refer to that group', async () => {
    const place = await newFiles('Beside');
    const page = await openSplit(place);
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    expect(await tabsIn(group(page, 1))).toEqual(['a.txt']);
    expect(await tabsIn(group(page, 2))).toEqual(['a.txt', 'b.txt']);
    await contentIn(group(page, 2), '/b.txt').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('new ');
    await contentIn(group(page, 1), '/a.txt').click();
    await page.waitForURL(/path=%2Fa.txt/);
    await page.getByRole('navigation', { name: 'Path of the open file' }).getByText('a.txt').waitFor();
    await page.getByRole('button', { name: 'Changes (1)' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await contentIn(group(page, 2), '/b.txt').click();
    await page.waitForURL(/path=%2Fb.txt/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentAt(place, '/b.txt')).toBe('new one of /b.txt\ntwo\n');

    await page.keyboard.press('Control+p');
    await page.getByPlaceholder('Open a file…').fill('c.txt');
    await page.keyboard.press('Enter');
    await contentIn(group(page, 2), '/c.txt').waitFor();
    await page.goBack();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    await look(page, 'split-beside');
  });

  test('the edge is moved by mouse or by keyboard; groups and their tabs survive a reload, separately for each branch', async () => {
    const place = await newFiles('Kept');
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
    const page = await openSplit(place);
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    const edge = page.getByRole('separator', { name: 'Width of the first group' });
    await edge.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    expect(await edge.getAttribute('aria-valuenow')).toBe('65');
    const [first, second] = [await boxOf(group(page, 1)), await boxOf(group(page, 2))];
    expect(first.width / (first.width + second.width)).toBeCloseTo(0.65, 1);
    const { x, y, height } = await boxOf(edge);
    await page.mouse.move(x + 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(first.x + 0.4 * (first.width + second.width), y + height / 2, { steps: 5 });
    await page.mouse.up();
    expect(await edge.getAttribute('aria-valuenow')).toBe('40');

    await page.reload();
    await contentIn(group(page, 1), '/a.txt').waitFor();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    expect(await tabsIn(group(page, 2))).toEqual(['a.txt', 'b.txt']);
    expect(await edge.getAttribute('aria-valuenow')).toBe('40');
    await page.goto(`/projects/${place.projectId}/files`);
    await contentIn(group(page, 2), '/b.txt').waitFor();
    await page.waitForURL(/path=%2Fb.txt/);
    await page.goto(`${filesOf(place, '/c.txt')}&ref=feature`);
    await contentIn(page, '/c.txt').waitFor();
    expect(await tabsIn(page)).toEqual(['c.txt']);
    expect(await group(page, 2).count()).toBe(0);
  });

  test('a tab has a menu, and the last tab of a group closes the group', async () => {
    const place = await newFiles('Menu');
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/a.txt'));
    await contentIn(page, '/a.txt').waitFor();
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    await contentIn(page, '/b.txt').waitFor();
    await page.getByRole('button', { name: 'a.txt', exact: true }).click({ button: 'right' });
    await look(page, 'split-tab-menu');
    await page.getByRole('menuitem', { name: 'Split the editor' }).click();
    await contentIn(group(page, 2), '/a.txt').waitFor();
    expect(await tabsIn(group(page, 1))).toEqual(['a.txt', 'b.txt']);
    await group(page, 1).getByRole('button', { name: 'b.txt', exact: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open in the other group' }).click();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    for (const name of ['a.txt', 'b.txt']) {
      await group(page, 1)
        .getByRole('button', { name: `Close ${name}` })
        .click();
    }
    await waitFor('one group is left', async () => (await group(page, 2).count()) === 0);
    await contentIn(page, '/b.txt').waitFor();
    expect(await tabsIn(page)).toEqual(['a.txt', 'b.txt']);
    await page.getByRole('button', { name: 'Split the editor' }).click();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    await page.getByRole('button', { name: 'Split the editor' }).click();
    await waitFor('the groups are one again', async () => (await group(page, 2).count()) === 0);
    expect(await tabsIn(page)).toEqual(['a.txt', 'b.txt']);

    // What was typed in a group that is gone can still be undone.
    await page.getByRole('button', { name: 'a.txt', exact: true }).click();
    await contentIn(page, '/a.txt').click();
    await page.keyboard.type('typed');
    await page.getByRole('button', { name: 'b.txt', exact: true }).click();
    await page.getByRole('button', { name: 'Split the editor' }).click();
    await contentIn(group(page, 2), '/b.txt').waitFor();
    await page.keyboard.press('Control+Backslash');
    await waitFor('the groups are one again', async () => (await group(page, 2).count()) === 0);
    await page.locator('.cm-content:focus:visible').waitFor();
    await page.getByRole('button', { name: 'a.txt', exact: true }).click();
    await contentIn(page, '/a.txt').getByText('typed').click();
    await page.keyboard.press('Control+z');
    await contentIn(page, '/a.txt').getByText('typed').waitFor({ state: 'detached' });
  });

  test('a phone shows the tabs of both groups in one row, and a larger window shows the groups again', async () => {
    const place = await newFiles('Phone');
    const page = await openSplit(place);
    await contentIn(group(page, 1), '/a.txt').click();
    await page.getByRole('treeitem', { name: 'c.txt' }).click();
    await contentIn(group(page, 1), '/c.txt').waitFor();
    await contentIn(group(page, 2), '/a.txt').click();
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    await contentIn(group(page, 2), '/b.txt').click();
    await page.keyboard.type('draft ');
    await page.setViewportSize({ width: 390, height: 844 });
    await waitFor('there is one row', async () => (await tabsIn(page)).join() === 'a.txt,c.txt,b.txt');
    expect(await group(page, 2).count()).toBe(0);
    await contentIn(page, '/b.txt').and(page.locator(':visible')).waitFor();
    expect(await page.getByRole('button', { name: 'Split the editor' }).count()).toBe(0);
    await look(page, 'split-390');
    await page.getByRole('button', { name: 'c.txt', exact: true }).click();
    await contentIn(page, '/c.txt').and(page.locator(':visible')).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await contentIn(group(page, 1), '/c.txt').waitFor();
    await contentIn(group(page, 2), '/b.txt').getByText('draft').waitFor();
    expect(await tabsIn(group(page, 2))).toEqual(['a.txt', 'b.txt']);
  });

  test('in a session, a file that is open in both groups is one live text, for other people too', async () => {
    const place = await newFiles('Live beside');
    const friend = await service.createUser({ name: 'Finn' });
    await addCollaborator(service, place.projectId, friend, { role: 'editor' });
    const page = await openSplit(place);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Live. All changes are stored.').waitFor();
    const [left, right] = [contentIn(group(page, 1), '/a.txt'), contentIn(group(page, 2), '/a.txt')];
    await right.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('right ');
    await left.getByText('right one of').waitFor();
    const finn = await browser.open(service.url, { user: friend, width: 1440 });
    await finn.goto(filesOf(place, '/a.txt'));
    await finn.getByRole('button', { name: 'Live', exact: true }).click();
    await finn.getByRole('button', { name: /^Join .+ session$/ }).click();
    // The name at a cursor stands within the text.
    await contentIn(finn, '/a.txt')
      .getByText(/^right/)
      .waitFor();
    await contentIn(finn, '/a.txt').click();
    await finn.keyboard.press('Control+End');
    await finn.keyboard.type('theirs');
    await left.getByText('theirs').waitFor();
    await right.getByText('theirs').waitFor();
    await look(page, 'split-live');
    await left.click();
    await page.keyboard.press('Control+z');
    await right.getByText('right').waitFor({ state: 'detached' });
    expect(await left.innerText()).toContain('theirs');
    await group(page, 1).getByRole('button', { name: 'Close a.txt' }).click();
    await contentIn(page, '/a.txt').click();
    await page.keyboard.type('still ');
    await contentIn(finn, '/a.txt').getByText('still').waitFor();
  });
});

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('it is not shown');
  return box;
}
