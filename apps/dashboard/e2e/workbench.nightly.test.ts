import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import {
  contentAt,
  history,
  idAt,
  inProject,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { draftsIn } from './drafts.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const deep = '/src/parts/inner/a-component-with-a-rather-long-name.ts';
const filesOf = ({ projectId }: Place, path = '') => `/projects/${projectId}/files${path && `?path=${path}`}`;
const speakGerman = ({ user }: Place) =>
  call('PATCH', `${service.url}/v1/user`, { token: user.key, json: { preferences: { language: 'de' } } });

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('it is not shown');
  return { ...box, end: box.x + box.width, bottom: box.y + box.height };
}

async function staysOnPage(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  // The tabs scroll.
  for (const button of await page.locator('.workbench button:visible:not(.file-tabs button)').all()) {
    expect((await boxOf(button)).end, await button.innerText()).toBeLessThanOrEqual(width);
  }
}

describeInBrowser('the workbench', () => {
  test('a link reveals a file at any depth, folders are indented, and the path is shown above the file', async () => {
    const place = await newPlace(service, { name: 'Deep' });
    for (const path of [deep, '/src/main.ts', '/README.md', '/style.css']) await writeFile(place, path, `${path}\n`);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, deep));
    await page.getByLabel(`Content of ${deep}`).waitFor();
    const left = async (name: string) => (await boxOf(page.locator('.tree-row span', { hasText: name }).first())).x;
    const edges = [await left('src'), await left('parts'), await left('inner'), await left('a-component')];
    for (const [index, edge] of edges.slice(1).entries()) expect(edge - (edges[index] ?? 0)).toBeCloseTo(14, 0);
    expect(
      await page.getByRole('navigation', { name: 'Path of the open file' }).getByRole('listitem').allInnerTexts(),
    ).toEqual(deep.split('/').slice(1));
    await look(page, 'workbench-deep');
    await page
      .getByRole('navigation', { name: 'Path of the open file' })
      .getByRole('button', { name: 'parts' })
      .click();
    await page.getByRole('menuitem', { name: 'Show in the file list' }).click();
    await page.locator('[role=treeitem][data-value="/src/parts"]:focus').waitFor();
  });

  test.each([1440, 390])('many tabs scroll, and the actions stay visible at %i pixels', async (width) => {
    const place = await newPlace(service, { name: 'Many' });
    const paths = Array.from({ length: 9 }, (_, index) => `/chapter-${index}-of-a-book-with-very-long-names.md`);
    for (const path of paths) await writeFile(place, path, `${path}\n`);
    const page = await browser.open(service.url, { user: place.user, width, height: 844 });
    await page.goto(filesOf(place));
    for (const path of paths) {
      await openTree(page, width);
      await page
        .getByRole('treeitem', { name: path.slice(1) })
        .getByText(path.slice(1))
        .click();
      await page.getByLabel(`Content of ${path}`).waitFor();
    }
    // The actions take room from the tabs as soon as there is something to save.
    await page.getByLabel(`Content of ${paths.at(-1)}`).click();
    await page.keyboard.type('x');
    await page.getByRole('button', { name: 'Save and deploy' }).waitFor();
    const tabs = page.getByRole('group', { name: 'Open files' });
    const active = await boxOf(tabs.locator('[data-active]'));
    const bar = await boxOf(tabs);
    expect(active.width).toBeLessThanOrEqual(180);
    expect(active.x).toBeGreaterThanOrEqual(bar.x - 1);
    expect(active.end).toBeLessThanOrEqual(bar.end + 1);
    await staysOnPage(page);
    await look(page, `workbench-tabs-${width}`);
  });

  test.each([
    [1440, 900],
    [1024, 768],
    [800, 600],
    [844, 390],
    [390, 844],
    [320, 568],
  ])('a long file scrolls in its editor and never scrolls the page, at %i × %i pixels', async (width, height) => {
    const place = await newPlace(service, { name: 'A project with a name that is about as long as they become' });
    for (const path of ['/short.txt', '/long.txt']) await writeFile(place, path, 'a line\n'.repeat(500));
    const page = await browser.open(service.url, { user: place.user, width, height });
    await page.goto(filesOf(place, '/long.txt'));
    await typeInto(page, '/long.txt', 'first ');
    await page.getByRole('button', { name: 'Save and deploy' }).waitFor();
    await staysOnPage(page);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
    const scroller = await boxOf(page.locator('.cm-scroller'));
    expect(scroller.bottom).toBeLessThanOrEqual(height);
    expect(scroller.height).toBeGreaterThan(height < 500 ? 100 : height / 2);
    await page.keyboard.press('Control+End');
    await page.locator('.cm-lineNumbers').getByText('501', { exact: true }).waitFor();
    expect(await page.evaluate('window.scrollY')).toBe(0);
    await look(page, `workbench-long-${width}x${height}`);
  });

  test('a tree that fits does not scroll', async () => {
    const place = await newPlace(service, { name: 'Few' });
    for (const path of ['/a.txt', '/b.txt']) await writeFile(place, path);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(filesOf(place, '/a.txt'));
    await page.getByRole('treeitem', { name: 'b.txt' }).waitFor();
    expect(
      await page.evaluate(
        "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.workbench > .side'))",
      ),
    ).toBe(0);
  });

  test('the tree is widened by keyboard and keeps its width, accepts uploads into a folder, and files can be dragged', async () => {
    const place = await newPlace(service, { name: 'Moving' });
    for (const path of ['/docs/a.md', '/src/main.ts', '/todo.txt']) await writeFile(place, path);
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(filesOf(place, '/src/main.ts'));
    const edge = page.getByRole('separator', { name: 'Width of the file list' });
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await edge.getAttribute('aria-valuenow')).toBe('300');
    await page.reload();
    await page.getByLabel('Content of /src/main.ts').waitFor();
    expect((await boxOf(page.locator('.workbench > .side'))).width).toBeCloseTo(300, 0);

    await page.getByRole('button', { name: 'Actions for docs' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Upload here' }).click();
    await (await choosing).setFiles({ name: 'b.md', mimeType: 'text/markdown', buffer: Buffer.from('b') });
    await page.getByText('1 file uploaded').waitFor();
    const row = (name: string) => page.locator('.tree-row', { hasText: name }).first();
    await row('todo.txt').dragTo(row('docs'));
    await page.getByText('Moved to /docs/todo.txt').waitFor();
    await row('main.ts').dragTo(row('docs'));
    await page.waitForURL(/path=%2Fdocs%2Fmain.ts/);
    expect((await listPaths(place)).toSorted()).toEqual([
      '/docs',
      '/docs/a.md',
      '/docs/b.md',
      '/docs/main.ts',
      '/docs/todo.txt',
    ]);
  });

  test('a file is shared by a link that anyone can open', async () => {
    const place = await newPlace(service, { name: 'Shared' });
    await writeFile(place, '/poster.txt', 'Come on Friday\n');
    const page = await browser.open(service.url, { user: place.user, width: 390, height: 844 });
    await page.goto(filesOf(place));
    await page.getByRole('button', { name: 'Actions for poster.txt' }).click();
    await page.getByRole('menuitem', { name: 'Share by link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share poster.txt' });
    await dialog.getByLabel('Valid for').selectOption('1 hour');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link to the file', { exact: true }).innerText();
    await look(page, 'workbench-share-390');
    await staysOnPage(page);
    expect((await call('GET', link)).text).toBe('Come on Friday\n');
  });

  test('creating a file that exists already is refused with an explanation, in both languages', async () => {
    const place = await newPlace(service, { name: 'Twice' });
    await writeFile(place, '/style.css');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(filesOf(place));
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('dialog').getByLabel('Path').fill('/style.css');
    await page.keyboard.press('Enter');
    await page.getByText('A file with this name already exists').waitFor();
    await speakGerman(place);
    await page.reload();
    await page.getByRole('button', { name: 'Neue Datei' }).click();
    await page.getByRole('dialog').getByLabel('Pfad').fill('/style.css');
    await page.keyboard.press('Enter');
    await page.getByText('Eine Datei mit diesem Namen gibt es bereits').waitFor();
  });

  test('a search marks its matches and shows the end of a long path; the search panel of a file is in German too', async () => {
    const place = await newPlace(service, { name: 'Found' });
    await writeFile(place, deep, `${'x '.repeat(200)}Needle in a haystack\n`);
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(filesOf(place));
    await page.getByRole('button', { name: 'Search in project' }).click();
    await page.getByLabel('Text to find in all files').fill('needle');
    const hit = page.locator('mark');
    await hit.waitFor();
    expect(await hit.innerText()).toBe('Needle');
    expect((await boxOf(hit)).end).toBeLessThan((await boxOf(page.locator('.workbench > .side'))).end);
    await look(page, 'workbench-search');
    await writeFile(place, '/large.txt', 'x'.repeat(1_100_000));
    await page.getByLabel('Text to find in all files').fill('needle in');
    await page.getByText('Large files were not searched.').waitFor();
    await hit.click();
    await speakGerman(place);
    await page.reload();
    await page.getByLabel(`Inhalt von ${deep}`).click();
    await page.keyboard.press('Control+f');
    await page.getByPlaceholder('Suchen', { exact: true }).fill('needle');
    await page.getByRole('button', { name: 'Alle ersetzen' }).waitFor();
    await look(page, 'workbench-find');
  });

  test('a follower is taken to the open file at once, before the other person clicks; the panel is beside the tree', async () => {
    const place = await newPlace(service, { name: 'Follow' }, await service.createUser({ name: 'Lea' }));
    for (const path of ['/one.txt', '/two.txt']) await writeFile(place, path);
    const friend = await service.createUser({ name: 'Finn' });
    await addCollaborator(service, place.projectId, friend, { role: 'editor' });
    const lea = await browser.open(service.url, { user: place.user, width: 1440 });
    await lea.goto(filesOf(place, '/two.txt'));
    await lea.getByRole('button', { name: 'Live' }).click();
    await lea.getByRole('button', { name: 'Start', exact: true }).click();
    await lea.getByText('Live. All changes are stored.').waitFor();
    const finn = await browser.open(service.url, { user: friend, width: 1440 });
    await finn.goto(filesOf(place));
    await finn.getByRole('button', { name: 'Live' }).click();
    await finn.getByRole('button', { name: /^Join .+ session$/ }).click();
    const panel = finn.getByRole('complementary', { name: 'Live session' });
    await panel.getByText('in /two.txt').waitFor();
    const tree = await boxOf(finn.locator('.workbench > .side'));
    expect((await boxOf(panel)).y).toBeCloseTo(tree.y, 0);
    expect((await boxOf(panel)).x).toBeGreaterThan(tree.end);
    await panel.getByRole('button', { name: /^Follow/ }).click();
    await finn.getByLabel('Content of /two.txt').waitFor();
    await lea.getByRole('treeitem', { name: 'one.txt' }).getByText('one.txt').click();
    await finn.getByLabel('Content of /one.txt').waitFor();
    await waitFor('the address follows too', () => finn.url().includes('one.txt'));
    await look(finn, 'workbench-follow');
  });

  test('a change from outside is loaded into an unmodified text, and announced above a text with unsaved changes', async () => {
    const place = await newPlace(service, { name: 'Outside' }, await service.createUser({ name: 'Ida' }));
    for (const path of ['/a.txt', '/b.txt']) await writeFile(place, path, 'first\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(filesOf(place, '/a.txt'));
    await page.getByLabel('Content of /a.txt').getByText('first').waitFor();
    await writeFile(place, '/a.txt', 'first\nby REST\n');
    await page.getByLabel('Content of /a.txt').getByText('by REST').waitFor();
    await typeInto(page, '/a.txt', 'mine ');
    await writeFile(place, '/a.txt', 'first\nonce more\n');
    await page.getByText('Changed by Ida').waitFor();
    await look(page, 'workbench-outside');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('dialog').getByText('once more').waitFor();
    await page.keyboard.press('Escape');
    expect(await textIn(page, '/a.txt')).toContain('mine first');
    await page.getByRole('button', { name: 'Discard my changes and reload' }).click();
    await page.getByLabel('Content of /a.txt').getByText('once more').waitFor();
    await page.getByText('Changed by Ida').waitFor({ state: 'detached' });
    await inProject(place, 'DELETE', `/files/${await idAt(place, '/a.txt')}`);
    await page.getByText('Deleted by Ida').waitFor();
    await typeInto(page, '/a.txt', 'again ');
    await page.keyboard.press('Control+s');
    await page.getByText('Deleted by Ida').waitFor({ state: 'detached' });
    expect(await contentAt(place, '/a.txt')).toContain('again first');
    await inProject(place, 'DELETE', `/files/${await idAt(place, '/a.txt')}`);
    await typeInto(page, '/a.txt', 'committed ');
    await page.getByText('Deleted by Ida').waitFor();
    await page.getByRole('button', { name: 'Changes (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Commit 1 file' }).click();
    await page.getByText('Committed: Update a.txt').waitFor();
    await page.getByText('Deleted by Ida').waitFor({ state: 'detached' });
    expect(await textIn(page, '/a.txt')).toContain('committed again first');
    await typeInto(page, '/a.txt', 'saved ');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await contentAt(place, '/a.txt')).toContain('saved committed again first');
  });

  test.each([1440, 390])('several selected files are committed together, at %i pixels', async (width) => {
    const place = await newPlace(service, { name: 'Together' });
    const paths = ['/style.css', '/index.html', '/notes.txt'];
    for (const path of paths) await writeFile(place, path, 'one\ntwo\n');
    const page = await browser.open(service.url, { user: place.user, width, height: 844 });
    for (const path of paths) {
      await page.goto(filesOf(place, path));
      await typeInto(page, path, 'new ');
      await page.getByText('Unsaved changes').waitFor();
      // The browser stores a draft after a moment.
      await waitFor('the draft is kept', async () => (await draftsIn(page)).includes(`${path}: new one\ntwo\n`));
    }
    await page.getByRole('button', { name: 'Changes (3)' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('+new one').first().waitFor();
    await drawer.getByLabel('Include /notes.txt').click();
    await drawer.getByLabel('Message').fill('A new beginning');
    await staysOnPage(page);
    await look(page, `workbench-changes-${width}`);
    await drawer.getByRole('button', { name: 'Commit 2 files' }).click();
    await page.getByText('Committed: A new beginning').waitFor();
    await page.getByRole('button', { name: 'Changes (1)' }).waitFor();
    expect((await history(place)).data[0]?.message).toBe('A new beginning');
    expect(await contentAt(place, '/index.html')).toBe('new one\ntwo\n');
    expect(await contentAt(place, '/notes.txt')).toBe('one\ntwo\n');
    await typeInto(page, '/notes.txt', '!');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await history(place)).data[0]?.message).toBe('Update notes.txt');
  });

  test('a draft survives a reload, even if its file has changed meanwhile, and is gone after signing out', async () => {
    const place = await newPlace(service, { name: 'Drafts' });
    await writeFile(place, '/a.txt', 'stored\n');
    const page = await browser.open(service.url, { user: place.user });
    await page.goto(filesOf(place, '/a.txt'));
    await typeInto(page, '/a.txt', 'draft ');
    await waitFor('the draft is kept', async () => (await draftsIn(page)).includes('/a.txt: draft stored\n'));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/favicon.svg');
    await writeFile(place, '/a.txt', 'moved on\n');
    await page.goto(filesOf(place, '/a.txt'));
    await page.getByText('Restored a draft of 1 file').waitFor();
    await page.getByText('Changed by').waitFor();
    expect(await textIn(page, '/a.txt')).toContain('draft stored');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    expect(await draftsIn(page)).toEqual([]);
  });

  test('two windows keep separate drafts, even of one file, and a new window restores all of them', async () => {
    const place = await newPlace(service, { name: 'Windows' });
    for (const path of ['/a.txt', '/b.txt']) await writeFile(place, path, 'stored\n');
    const page = await browser.open(service.url, { user: place.user });
    const windows = [await page.context().newPage(), await page.context().newPage()] as const;
    for (const one of windows) {
      await one.goto(filesOf(place, '/a.txt'));
      await one.getByLabel('Content of /a.txt').getByText('stored').waitFor();
    }
    const [first, second] = windows;
    const areKept = (...drafts: string[]) =>
      waitFor(`${drafts} are kept`, async () => {
        const kept = await draftsIn(first);
        return drafts.every((draft) => kept.includes(draft));
      });
    await typeInto(first, '/a.txt', 'one ');
    await areKept('/a.txt: one stored\n');
    await second.getByRole('treeitem', { name: 'b.txt' }).click();
    await typeInto(second, '/b.txt', 'two ');
    await areKept('/a.txt: one stored\n', '/b.txt: two stored\n');
    await second.getByRole('treeitem', { name: 'a.txt' }).click();
    await typeInto(second, '/a.txt', 'three ');
    await areKept('/a.txt: one stored\n', '/a.txt: three stored\n', '/b.txt: two stored\n');

    await page.goto(filesOf(place, '/a.txt'));
    await page.getByLabel('Content of /a.txt').getByText('stored').waitFor();
    expect(await page.getByText('Restored').count()).toBe(0);
    await page.goto('/favicon.svg');
    for (const one of windows) await one.close();
    await page.goto(filesOf(place, '/a.txt'));
    await page.getByText('Restored drafts of 2 files').waitFor();
    expect(await textIn(page, '/a.txt')).toContain('three stored');
    await page.getByText('Another window left different unsaved changes').waitFor();
    await look(page, 'workbench-other-draft');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('dialog').getByText('one stored').waitFor();
    await look(page, 'workbench-other-draft-compared');
    await page.getByRole('button', { name: 'Use the left side' }).click();
    await page.getByText('Another window left different unsaved changes').waitFor({ state: 'detached' });
    expect(await textIn(page, '/a.txt')).toContain('one stored');
    await page.getByRole('treeitem', { name: 'b.txt' }).click();
    expect(await textIn(page, '/b.txt')).toContain('two stored');
  });

  test('a page is previewed while it is typed, with its styles and isolated; Markdown and the live site are previewed too', async () => {
    const place = await newPlace(service, { name: 'Preview' });
    const attack =
      '<script>try { document.body.dataset.seen = parent.parent.document.cookie } catch { document.body.dataset.seen = "nothing" }</script>';
    await writeFile(place, '/index.html', `<!doctype html><link rel=stylesheet href=style.css><h1>Hello</h1>${attack}`);
    await writeFile(place, '/style.css', 'h1 { text-transform: uppercase }');
    await writeFile(place, '/README.md', '# Read me\n\nSee [the page](index.html).\n\n<script>alert(1)</script>\n');
    const page = await browser.open(service.url, { user: place.user, width: 1440 });
    await page.goto(filesOf(place, '/index.html'));
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    const inner = page.frameLocator('iframe[title="Preview of /index.html"]').frameLocator('iframe');
    await inner.getByRole('heading', { name: 'Hello' }).waitFor();
    expect(await inner.locator('h1').innerText()).toBe('HELLO');
    await inner.locator('body[data-seen=nothing]').waitFor();
    await typeInto(page, '/index.html', '<p>typed</p>');
    await inner.getByText('typed').waitFor();
    await look(page, 'workbench-preview-html');
    await page.goto(`${filesOf(place, '/README.md')}&preview=file`);
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Read me' }).waitFor();
    await look(page, 'workbench-preview-markdown');
    await preview.getByRole('link', { name: 'the page' }).click();
    await page.waitForURL(/path=%2Findex.html/);
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await page.frameLocator('iframe[title="The live site"]').getByRole('heading', { name: 'Hello' }).waitFor();
    expect(await contentAt(place, '/index.html')).toContain('typed');
    await look(page, 'workbench-preview-site');
    await page.setViewportSize({ width: 390, height: 844 });
    await staysOnPage(page);
    await look(page, 'workbench-preview-390');
  });
});

const typeInto = async (page: Page, path: string, text: string): Promise<void> => {
  await page.getByLabel(`Content of ${path}`).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(text);
};

/** On a phone the tree is in a drawer as soon as a file is open. */
async function openTree(page: Page, width: number): Promise<void> {
  const button = page.getByRole('button', { name: 'Show files' });
  await button.or(page.getByRole('tree')).first().waitFor();
  if (width === 390 && (await button.isVisible())) await button.click();
}

const textIn = (page: Page, path: string) => page.getByLabel(`Content of ${path}`).innerText();
