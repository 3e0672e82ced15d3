import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { describeUnless, hasPrograms } from '../../server/src/testing/parts/programs.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { projectOf } from '../../server/src/testing/samples/sample-deployments.ts';
import { contentAt } from '../../server/src/testing/samples/sample-files.ts';
import { languagesOfTests, whyNoLanguages } from '../../server/src/testing/samples/sample-languages.ts';
import {
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../../server/src/testing/samples/sample-workspaces.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone, picture } from './look.ts';

const missing = hasPrograms(workspacePrograms) ? await whyNoLanguages() : 'the programs of a sandbox are needed';
// A service removes files of workspaces that it does not know, so it shares its directory with no other test.
const folder = mkdtempSync('/var/tmp/bottega-test-languages-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o711);
const service = useTestService({
  settings: { ...workspaceSettings, BOTTEGA_BUILD_DIR: folder, BOTTEGA_LANGUAGE_SERVERS: languagesOfTests },
});
const browser = useBrowser();

const files = {
  '/tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" }, "include": ["src"] }\n',
  '/src/greet.ts': '/** Says hello to somebody. */\nexport function greet(name: string): string {\n  return name;\n}\n',
  '/src/main.ts': 'import { greet } from "./greet.js";\n\nconst count: number = greet("Ada");\nconsole.log(count);\n',
  '/src/other.ts': 'import { greet } from "./greet.js";\n\nexport const other = greet("Grace");\n',
};

const content = (page: Page, path: string) => page.getByLabel(`Content of ${path}`);
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

async function running() {
  const place = await projectOf(service, files, undefined, { name: 'Typed' });
  const at = await newWorkspace(place);
  expect((await inWorkspace(at, 'POST', '/start')).status).toBe(200);
  return { ...at, user: place.user };
}

/** The first terminal, which takes the place of what was chosen before it, is there. */
async function openProblems(page: Page): Promise<void> {
  await page.keyboard.press('Control+j');
  await page.locator('.run-terminal[data-connection=open]').waitFor();
  await page.getByRole('button', { name: 'Problems', exact: true }).click();
}

describeUnless(missing, 'language servers', () => {
  describeInBrowser('the editor of a branch that runs', () => {
    test('underlines errors, completes, explains, follows definitions, renames in all files and fixes', async () => {
      const at = await running();
      const page = await browser.open(service.url, { user: at.user, width: 1440, height: 900 });
      await page.goto(`/projects/${at.projectId}/files?path=/src/main.ts`);
      await page.locator('.cm-lintRange-error').first().waitFor();
      await openProblems(page);
      const problem = page.getByRole('list', { name: 'Problems in open files' }).getByRole('button');
      await problem.getByText("Type 'string' is not assignable to type 'number'.").waitFor();
      await look(page, 'languages-problems');
      await problem.first().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('gre');
      const list = page.locator('.cm-tooltip-autocomplete');
      await list.getByText('greet', { exact: true }).first().waitFor();
      await picture(page, 'languages-completion');
      await page.keyboard.press('Escape');
      await page.keyboard.type('et("x");');

      const explained = page.locator('.cm-lsp-hover-tooltip').getByText('Says hello to somebody.');
      // The text moves under a pointer that rests while the page is still busy with what was typed.
      await waitFor('the documentation', async () => {
        await page.mouse.move(5, 5);
        await content(page, '/src/main.ts').getByText('greet').last().hover();
        return explained.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      });
      await picture(page, 'languages-hover');
      await page.keyboard.press('Control+End');
      for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('F12');
      await content(page, '/src/greet.ts').waitFor();
      await page.keyboard.press('Shift+F12');
      const references = page.getByRole('group', { name: 'References' });
      await references.getByText('greet("Grace")').waitFor();
      await picture(page, 'languages-references');
      await page.keyboard.press('Escape');

      await content(page, '/src/greet.ts').getByText('greet').click();
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'New name' }).fill('welcome');
      await page.keyboard.press('Enter');
      await page.getByText('Changed and committed 1 other file').waitFor();
      expect(await contentAt(at, '/src/other.ts')).toContain('welcome("Grace")');
      await content(page, '/src/greet.ts').getByText('welcome').waitFor();

      await page.goto(`/projects/${at.projectId}/files?path=/src/other.ts`);
      await content(page, '/src/other.ts').getByText('welcome').first().waitFor();
      await content(page, '/src/other.ts').click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('parseInt("1", 10, 3);\n');
      await page.locator('.cm-lintRange-error').first().waitFor();
    });

    test('helps with the live texts of a session', async () => {
      const at = await running();
      const page = await browser.open(service.url, { user: at.user, width: 1440, height: 900 });
      await page.goto(`/projects/${at.projectId}/files?path=/src/main.ts`);
      await page.getByRole('button', { name: 'Live' }).click();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/session=ses_/);
      await page.locator('.cm-lintRange-error').first().waitFor();
      await content(page, '/src/main.ts').getByText('greet', { exact: true }).last().click();
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'New name' }).fill('welcome');
      await page.keyboard.press('Enter');
      await page.getByText('Changed and committed 2 other files').waitFor();
      await content(page, '/src/main.ts').getByText('welcome').first().waitFor();
      expect(await contentAt(at, '/src/greet.ts')).toContain('function welcome');
      expect(await contentAt(at, '/src/other.ts')).toContain('welcome("Grace")');
    });

    test('underlines errors in both groups of tabs that show a file, and continues when one of the groups closes the file', async () => {
      const at = await running();
      const page = await browser.open(service.url, { user: at.user, width: 1440, height: 900 });
      await page.goto(`/projects/${at.projectId}/files?path=/src/main.ts`);
      await page.locator('.cm-lintRange-error').first().waitFor();
      await content(page, '/src/main.ts').click();
      await page.keyboard.press('Control+Backslash');
      const group = (number: number) => page.getByRole('region', { name: `Group ${number} of the editor` });
      await group(2).locator('.cm-lintRange-error').first().waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('const wrong: number = "text";');
      const errorIn = (line: string) => page.locator('.cm-line', { hasText: line }).locator('.cm-lintRange-error');
      await waitFor('the error in both', async () => (await errorIn('wrong').count()) === 2);
      await group(1).getByRole('button', { name: 'Close main.ts' }).click();
      await content(page, '/src/main.ts').click();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('const more: number = "text";');
      await errorIn('more').waitFor();
      expect(await errorIn('wrong').count()).toBe(1);
    });

    test('offers to import a missing name, and fits on a phone', async () => {
      const at = await running();
      const page = await browser.open(service.url, { user: at.user, width: 390, height: 844 });
      await page.goto(`/projects/${at.projectId}/files?path=/src/main.ts`);
      await page.locator('.cm-lintRange-error').first().waitFor();
      await lookOnPhone(page, 'phone-languages');
      expect(await overflow(page)).toBe(0);
      await content(page, '/src/main.ts').click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('console.log(other);');
      await waitFor('two errors', async () => (await page.locator('.cm-lintRange-error').count()) === 2);
      for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+.');
      const fix = page
        .getByRole('group', { name: 'Quick fixes' })
        .getByRole('button', { name: /import/i })
        .first();
      await fix.waitFor();
      await lookOnPhone(page, 'phone-languages-fixes');
      expect(await overflow(page)).toBe(0);
      await fix.click();
      await content(page, '/src/main.ts').getByText('./other.js').waitFor();
      await openProblems(page);
      await page.getByRole('list', { name: 'Problems in open files' }).getByRole('button').first().waitFor();
      await lookOnPhone(page, 'phone-languages-problems');
      expect(await overflow(page)).toBe(0);
    });
  });
});
