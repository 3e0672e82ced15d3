import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  contentAt,
  history,
  inProject,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../server/src/testing/samples/sample-files.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, picture } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const filesOf = ({ projectId }: Place, path = '') => `/projects/${projectId}/files${path && `?path=${path}`}`;
const tabsIn = (page: Page) => page.getByRole('group', { name: 'Open files' }).locator('button[title]').allInnerTexts();
const contentOf = (page: Page, path: string) => page.getByLabel(`Content of ${path}`, { exact: true });
const scrollTop = 'document.querySelector(".cm-scroller").scrollTop';

describeInBrowser('the desk', () => {
  test('tabs survive a reload, each branch has its own tabs, and a deleted file loses its tab', async () => {
    const place = await newPlace(service, { name: 'Tabs' });
    for (const path of ['/a.txt', '/b.txt', '/c.txt']) await writeFile(place, path, `${path}\n`);
    await putFile(place, { path: '/d.png', content: 'iVBORw0KGgo=', encoding: 'base64' });
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place));
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.png']) await page.getByRole('treeitem', { name }).click();
    await page.getByRole('button', { name: 'Close d.png' }).waitFor();
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    await contentOf(page, '/b.txt').waitFor();
    await page.reload();
    await contentOf(page, '/b.txt').waitFor();
    expect(await tabsIn(page)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.png']);
    await page.getByRole('button', { name: 'Close a.txt' }).click();
    await page.getByRole('button', { name: 'c.txt', exact: true }).click();
    await contentOf(page, '/c.txt').waitFor();

    await page.goto(`${filesOf(place)}?ref=feature`);
    await page.getByText('Choose a file', { exact: true }).waitFor();
    expect(await tabsIn(page)).toEqual([]);
    const { body } = await inProject<{ data: { id: string; path: string }[] }>(place, 'GET', '/files');
    const gone = body.data.find(({ path }) => path === '/c.txt');
    expect((await inProject(place, 'DELETE', `/files/${gone?.id}`)).status).toBe(204);
    await page.goto(filesOf(place));
    await page.getByRole('button', { name: 'Close b.txt' }).waitFor();
    expect(await tabsIn(page)).toEqual(['b.txt', 'd.png']);
  });

  test('the status below the editor shows branch, position and language, and each part of the path lists its neighbors', async () => {
    const place = await newPlace(service, { name: 'Status' });
    for (const path of ['/src/main.ts', '/src/deep/part.ts', '/README.md']) {
      await writeFile(place, path, 'one\ntwo\nthree\n');
    }
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/src/main.ts'));
    const status = page.getByRole('region', { name: 'Status of the editor' });
    await status.getByText('Ln 1, Col 1').waitFor();
    await status.getByText('TypeScript').waitFor();
    await status.getByText('main').waitFor();
    await contentOf(page, '/src/main.ts').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+End');
    await status.getByText('Ln 2, Col 4 (3 selected)').waitFor();
    await status.getByRole('button', { name: /Ln 2/ }).click();
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await status.getByText('Ln 3, Col 1').waitFor();
    await look(page, 'desk-status');

    const path = page.getByRole('navigation', { name: 'Path of the open file' });
    await path.getByRole('button', { name: 'main.ts' }).click();
    await page.getByRole('menuitem', { name: 'deep' }).waitFor();
    await look(page, 'desk-path-menu');
    await page.getByRole('menuitem', { name: 'deep' }).click();
    await page.getByRole('menuitem', { name: 'part.ts' }).click();
    await contentOf(page, '/src/deep/part.ts').waitFor();
    await path.getByRole('button', { name: 'src' }).click();
    await page.getByRole('menuitem', { name: 'Show in the file list' }).click();
    await page.locator('[role=treeitem][data-value="/src"]:focus').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await status.isVisible()).toBe(false);
  });

  test('starting and ending a session keeps the text, the cursor and the scroll position', async () => {
    const place = await newPlace(service, { name: 'Begin' });
    await writeFile(place, '/long.txt', 'a line\n'.repeat(500));
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/long.txt'));
    await contentOf(page, '/long.txt').click();
    await page.keyboard.press('Control+Home');
    for (let step = 0; step < 5; step++) await page.keyboard.press('PageDown');
    await expect.poll(() => page.evaluate(scrollTop)).toBeGreaterThan(1000);
    const before = Number(await page.evaluate(scrollTop));
    const line = await page.getByRole('button', { name: /^Ln/ }).innerText();
    // Counts the moments without any editor.
    await page.evaluate(`
      window.gaps = 0;
      new MutationObserver(() => { if (!document.querySelector('.cm-content')) window.gaps += 1; })
        .observe(document.body, { childList: true, subtree: true });
    `);
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Live. All changes are stored.').waitFor();
    await contentOf(page, '/long.txt').waitFor();
    expect(Math.abs(Number(await page.evaluate(scrollTop)) - before)).toBeLessThan(30);
    await page.getByText('Live: only you').waitFor();
    expect(await page.getByRole('button', { name: /^Ln/ }).innerText()).toBe(line);
    await picture(page, 'desk-live');
    await contentOf(page, '/long.txt').focus();
    await page.keyboard.type('shared ');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('complementary', { name: 'Live session' }).waitFor({ state: 'detached' });
    await contentOf(page, '/long.txt').getByText('shared').waitFor();
    expect(Math.abs(Number(await page.evaluate(scrollTop)) - before)).toBeLessThan(30);
    expect(await page.evaluate('window.gaps')).toBe(0);
  });

  test('a text of five megabytes can be read and searched here, but not edited', async () => {
    const place = await newPlace(service, { name: 'Large' });
    const rows = Array.from(
      { length: 100_000 },
      (_, index) => `row ${index} of a table with many of them, in UTF-8: ä`,
    );
    expect((await putFile(place, { path: '/table.csv', content: rows.join('\r\n') })).status).toBeLessThan(300);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/table.csv'));
    await page.getByText(/^Read-only, because the file is too large to edit \(\d/).waitFor();
    const text = contentOf(page, '/table.csv');
    await text.getByText('row 0 of').waitFor();
    await text.click();
    await page.keyboard.press('Control+End');
    await text.getByText('row 99999 of a table with many of them, in UTF-8: ä').waitFor();
    await page.locator('.cm-lineNumbers').getByText('100000', { exact: true }).waitFor();
    await page.keyboard.type('x');
    expect(await text.getByText('äx').count()).toBe(0);
    await look(page, 'desk-large');
    await page.getByRole('button', { name: 'Close table.csv' }).waitFor();
  });

  test('a text is replaced in all files with one commit, but not while these files have unsaved changes', async () => {
    const place = await newPlace(service, { name: 'Replace' });
    const files = { '/a.css': 'a { color: Blue }\nb { color: blue }\n', '/b.html': '<p>blue</p>\n', '/c.txt': 'red\n' };
    for (const [path, content] of Object.entries(files)) await writeFile(place, path, content);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/a.css'));
    await contentOf(page, '/a.css').click();
    await page.keyboard.type('x');
    await page.keyboard.press('Control+Shift+F');
    await page.getByLabel('Text to find in all files').fill('blue');
    await page.getByText('Save your changes to /a.css first.').waitFor();
    const replace = page.getByRole('button', { name: 'Replace in 2 files…' });
    expect(await replace.isDisabled()).toBe(true);
    await contentOf(page, '/a.css').click();
    await page.keyboard.press('Control+Z');
    await page.getByText('Save your changes to').waitFor({ state: 'detached' });
    await page.getByLabel('Replace with').fill('teal');
    await look(page, 'desk-replace');
    await replace.click();
    const question = page.getByRole('dialog', { name: 'Replace 3 matches in 2 files?' });
    await question.getByText('“blue” becomes “teal” everywhere, in one commit.').waitFor();
    await question.getByRole('button', { name: 'Replace all' }).click();
    await page.getByText('Replaced 3 matches').waitFor();
    await contentOf(page, '/a.css').getByText('b { color: teal }').waitFor();
    expect(await contentAt(place, '/a.css')).toBe('a { color: teal }\nb { color: teal }\n');
    expect(await contentAt(place, '/b.html')).toBe('<p>teal</p>\n');
    expect((await history(place)).data[0]?.message).toBe('Replace blue with teal');
  });
});
