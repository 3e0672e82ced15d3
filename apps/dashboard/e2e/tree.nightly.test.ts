import { expect, test } from 'vitest';
import { commit, newPlace } from '../../server/src/testing/samples/sample-files.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const countInTree = 'document.querySelectorAll("[role=tree], [role=tree] *").length';
const focused = 'document.activeElement.dataset.value';

describeInBrowser('the tree of files', () => {
  test('shows a folder of 10,000 files with few DOM elements, and its last file is reached and opened by keyboard', async () => {
    const place = await newPlace(service, { name: 'Ten thousand' });
    const paths = Array.from({ length: 10_000 }, (_, index) => `/data/part-${String(index).padStart(5, '0')}.txt`);
    for (let from = 0; from < paths.length; from += 500) {
      const changes = paths.slice(from, from + 500).map((path) => ({ action: 'create', path, content: `${path}\n` }));
      const { status, text } = await commit(place, changes, { message: 'Add parts' });
      expect(status, text).toBe(201);
    }
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/files`);
    const folder = page.getByRole('treeitem', { name: 'data' });
    await folder.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'part-00000.txt' }).waitFor();
    expect(await page.evaluate(countInTree)).toBeLessThanOrEqual(500);
    await look(page, 'tree-of-many');

    await page.keyboard.press('End');
    await page.locator('[data-value="/data/part-09999.txt"]:focus').waitFor();
    const last = page.getByRole('treeitem', { name: 'part-09999.txt' });
    expect(await last.getAttribute('aria-posinset')).toBe('10000');
    expect(await last.getAttribute('aria-setsize')).toBe('10000');
    expect(await last.getAttribute('aria-level')).toBe('2');
    await page.keyboard.press('Enter');
    await page.getByLabel('Content of /data/part-09999.txt').waitFor();
    await last.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    expect(await page.evaluate(focused)).toBe('/data/part-09978.txt');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(focused)).toBe('/data');
    // Elsewhere on the page, this key begins a new project.
    await page.keyboard.press('n');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain('/files');
    expect(await page.evaluate(countInTree)).toBeLessThanOrEqual(500);

    // A row keeps the focus, and its menu works, however far the tree is scrolled.
    await page.locator('.side').hover();
    await page.mouse.wheel(0, 100_000);
    await page.getByRole('treeitem', { name: 'part-03860.txt' }).waitFor();
    expect(await page.evaluate(focused)).toBe('/data');
    expect(await page.evaluate(countInTree)).toBeLessThanOrEqual(500);
    await page.getByRole('button', { name: 'Actions for part-03860.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await last.waitFor();
    await page.getByRole('button', { name: 'Close part-09999.txt' }).waitFor();
  });
});
