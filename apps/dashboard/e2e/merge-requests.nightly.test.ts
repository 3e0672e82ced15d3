import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useGitClient } from '../../server/src/repository/smart-http/git-client.fixture.ts';
import { buildSettings, deployed } from '../../server/src/testing/samples/sample-deployments.ts';
import { contentAt, inProject, newPlace, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const browser = useBrowser();
const git = useGitClient(service);

const source = (name: string) =>
  [
    '/** Says hello. */',
    'export function greet(name: string): string {',
    `  return \`${name}, \${name}!\`;`,
    '}',
    '',
    ...Array.from({ length: 30 }, (_, index) => `export const number${index} = ${index};`),
    '',
  ].join('\n');

/** Ada offers a branch, and Bob can review it. */
async function offered(files: Record<string, string | Buffer> = { 'src/greet.ts': source('Bonjour') }) {
  const ada = await service.createUser({ name: 'Ada Lovelace' });
  const bob = await service.createUser({ name: 'Bob' });
  const place = await newPlace(service, { name: 'Greetings' }, ada);
  await addCollaborator(service, place.projectId, bob, { role: 'editor' });
  await writeFile(place, '/src/greet.ts', source('Hello'));
  const clone = await git.clone(place.projectId, ada);
  await clone.git('checkout', '--quiet', '-b', 'french');
  await clone.commit('Say hello in French', files);
  await clone.git('push', '--quiet', 'origin', 'french');
  return { ada, bob, place, clone, url: `/projects/${place.projectId}/merge-requests` };
}

async function request(place: Awaited<ReturnType<typeof offered>>['place'], fields: object = {}): Promise<void> {
  const json = { source: 'french', title: 'Say hello in French', ...fields };
  expect((await inProject(place, 'POST', '/merge-requests', { json })).status).toBe(201);
}

const nodes = (page: Page) => page.evaluate("document.querySelectorAll('*').length") as Promise<number>;

describeInBrowser('merge requests', () => {
  test('are opened from a branch, described, changed, closed, reopened and merged', async () => {
    const { ada, place, url } = await offered();
    const page = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await page.goto(url);
    await page.getByText('No merge requests').waitFor();
    await page.getByText('git push origin HEAD:refs/for/main').waitFor();
    await look(page, 'no-merge-requests');
    await page.getByRole('link', { name: 'New merge request' }).first().click();
    await page
      .getByRole('textbox', { name: 'From' })
      .or(page.getByRole('combobox', { name: 'From' }))
      .click();
    await page.getByRole('option', { name: 'french' }).click();
    await page.getByText('1 commit', { exact: true }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Say hello in French');
    await page.getByRole('textbox', { name: 'Description' }).fill('Why?\n\n- [x] French\n- [ ] Italian');
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByText('☐ Italian').waitFor();
    await look(page, 'new-merge-request');
    await page.getByLabel('Draft').check();
    await page.getByRole('button', { name: 'Open merge request' }).click();
    await page.getByText('It is a draft.').waitFor();
    await look(page, 'merge-request');
    await page.getByRole('button', { name: 'Mark as ready' }).click();
    await page.getByText('It can be merged without conflicts.').waitFor();
    await page.getByRole('button', { name: 'Edit: Labels' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Labels' }).fill('words');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('complementary').getByText('words').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('This merge request is closed.').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByLabel('Strategy').selectOption('squash');
    await page.getByLabel('Delete the branch french afterwards').check();
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('Ada Lovelace merged it into main').waitFor();
    expect(await contentAt(place, '/src/greet.ts')).toBe(source('Bonjour'));
    await page.getByRole('link', { name: 'All merge requests' }).click();
    await page.getByText('Merged', { exact: true }).click();
    await page.getByRole('link', { name: 'Say hello in French' }).waitFor();
    await look(page, 'merge-requests');
  });

  test('mention people in the description, on lines and in a review, whose popover stays open', async () => {
    const { ada, bob, place, url } = await offered();
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1`);
    const person = page.getByRole('option', { name: 'Ada Lovelace' });
    await page.getByRole('button', { name: 'Edit description' }).click();
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.pressSequentially('For @lov');
    await person.waitFor();
    await description.press('Tab');
    expect(await description.inputValue()).toBe(`For @${ada.username} `);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.mention', { hasText: `@${ada.username}` }).waitFor();
    await page.getByRole('tab', { name: 'Changes (1)' }).click();
    await page.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
    await page.getByRole('textbox', { name: 'Your comment' }).pressSequentially('@');
    await person.waitFor();
    await look(page, 'mention-on-line');
    await page.keyboard.press('Enter');
    await page.keyboard.type('look');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.mention', { hasText: `@${ada.username}` }).waitFor();
    await page.getByRole('button', { name: 'Finish review' }).click();
    const summary = page.getByRole('textbox', { name: 'Summary' });
    await summary.pressSequentially('Well done, @');
    await person.waitFor();
    await look(page, 'mention-in-review');
    await summary.press('Escape');
    await person.waitFor({ state: 'detached' });
    await summary.press('Escape');
    await summary.waitFor({ state: 'detached' });

    const hers = await browser.open(service.url, { user: ada, width: 390, height: 844 });
    await hers.goto('/notifications');
    const notices = hers.getByRole('link', { name: 'Bob mentioned you in !1 Say hello in French' });
    await notices.nth(1).waitFor();
    await notices.first().click();
    await hers.waitForURL(/merge-requests\/1\?.*thread=mrt_/);
    await hers
      .locator('.mention', { hasText: `@${ada.username}` })
      .last()
      .waitFor();
  });

  test('are reviewed with comments on lines and ranges, and with suggestions that are applied together', async () => {
    const { ada, bob, place, url } = await offered();
    await request(place, { reviewers: [bob.id] });
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto('/reviews');
    await page.getByRole('link', { name: 'Say hello in French' }).click();
    await page.getByRole('tab', { name: 'Changes (1)' }).click();
    const diff = page.getByRole('region', { name: 'Changes in /src/greet.ts' });
    await diff.getByText('Bonjour').waitFor();
    await diff.locator('.code-keyword').first().waitFor();
    await look(page, 'changes');
    await page.getByText('Split', { exact: true }).click();
    await look(page, 'changes-split');
    await page.getByText('Unified', { exact: true }).click();
    await page.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
    await page.getByRole('button', { name: 'Comment on line 4', exact: true }).click({ modifiers: ['Shift'] });
    await page.getByText('Comment on lines 2–4').waitFor();
    await page.getByRole('button', { name: 'Suggest a change' }).click();
    const field = page.getByRole('textbox', { name: 'Your comment' });
    await field.fill((await field.inputValue()).replace('Bonjour', 'Salut'));
    await look(page, 'line-comment');
    await page.getByRole('button', { name: 'Start review' }).click();
    await page.getByText('Suggested change').waitFor();
    await look(page, 'suggestion');
    await page.getByRole('button', { name: 'Finish review (1)' }).click();
    await page.getByRole('radio', { name: 'Request changes' }).check();
    await look(page, 'finish-review');
    await page.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText('Review submitted').waitFor();

    const theirs = await browser.open(service.url, { user: ada, width: 1440, height: 900 });
    await theirs.goto(`${url}/1`);
    await theirs.getByText('Bob requested changes', { exact: true }).first().waitFor();
    await look(theirs, 'conversation');
    await theirs.getByRole('button', { name: 'Add to batch' }).click();
    await theirs.getByRole('button', { name: 'Apply 1 suggestion' }).click();
    await theirs.getByText(/Applied in/).waitFor();
    expect(await contentAt({ ...place, branch: 'french' }, '/src/greet.ts')).toBe(source('Salut'));
    await theirs.getByText('added version 2').waitFor();
    await theirs.getByRole('link', { name: 'What changed: version 2' }).click();
    await theirs.getByRole('region', { name: 'Changes in /src/greet.ts' }).getByText('Salut').first().waitFor();
    await theirs.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(theirs, 'phone-changes');
    await theirs.goto(`${url}/1`);
    await theirs.getByText('What changed').waitFor();
    await lookOnPhone(theirs, 'phone-conversation');
    expect(await theirs.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('take comments on selected lines, on pictures and on older versions', async () => {
    const picture = Buffer.from([0x89, 0x50, 0, 1]);
    const { bob, place, clone, url } = await offered({ 'src/greet.ts': source('Bonjour'), 'picture.png': picture });
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    const diff = page.getByRole('region', { name: 'Changes in /src/greet.ts' });
    const middle = async (line: number) => {
      const box = await diff.getByRole('button', { name: `Comment on line ${line}`, exact: true }).boundingBox();
      return [(box?.x ?? 0) + 10, (box?.y ?? 0) + 9] as const;
    };
    await diff.getByText('Bonjour').waitFor();
    await page.mouse.move(...(await middle(5)));
    await page.mouse.down();
    for (const line of [4, 3, 2]) await page.mouse.move(...(await middle(line)));
    const [x, y] = await middle(2);
    // The drag ends beside the numbers.
    await page.mouse.move(x + 300, y);
    await page.mouse.up();
    await page.getByText('Comment on lines 2–5').waitFor();
    await page.keyboard.type('All of them');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Thread on /src/greet.ts, lines 2–5' }).waitFor();
    await page.getByRole('button', { name: 'Comment on file: /picture.png' }).click();
    await page.keyboard.type('Is it needed?');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Thread on /picture.png' }).waitFor();

    await clone.commit('Say it otherwise', { 'src/greet.ts': 'export const greeting = 1;\n' });
    await clone.git('push', '--quiet', 'origin', 'french');
    await page.getByText('1 thread on lines that have changed since').waitFor();
    await page.getByLabel('Up to').selectOption('1');
    await page.getByText('There is a newer version.').waitFor();
    await diff.getByText('All of them').waitFor();
    await page.getByText('Split', { exact: true }).click();
    await look(page, 'older-version');
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByLabel('Changes since').selectOption('1');
    await diff.getByText('greeting').first().waitFor();
  });

  test('keep the summary of a review while the reader looks at the changes once more', async () => {
    const { bob, place, url } = await offered();
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    await page.getByRole('button', { name: 'Finish review' }).click();
    const summary = page.getByRole('textbox', { name: 'Summary' });
    await summary.fill('Nearly there');
    await page.getByRole('heading', { name: 'Say hello in French' }).click();
    await summary.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Finish review' }).click();
    expect(await summary.inputValue()).toBe('Nearly there');
  });

  test('are not approved with changes that the reviewer has not seen', async () => {
    const { bob, place, clone, url } = await offered();
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    const diff = page.getByRole('region', { name: 'Changes in /src/greet.ts' });
    await diff.getByText('Bonjour').waitFor();
    await page.getByRole('button', { name: 'Finish review' }).click();
    await page.getByRole('radio', { name: 'Approve' }).check();
    await clone.commit('Say it louder', { 'src/greet.ts': source('BONJOUR') });
    await clone.git('push', '--quiet', 'origin', 'french');
    await page.getByText('There is a newer version.').waitFor();
    await page.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText(/look at the newer version first/).waitFor();
    await page.getByRole('button', { name: 'Show it' }).click();
    await diff.getByText('BONJOUR').waitFor();
    await page.getByRole('button', { name: 'Finish review' }).click();
    await page.getByRole('button', { name: 'Submit review' }).click();
    await page.getByText('Review submitted').waitFor();
  });

  test('from a fork keep what is typed when the other project is chosen', async () => {
    const ada = await service.createUser({ name: 'Ada Lovelace' });
    const place = await newPlace(service, { name: 'Greetings', settings: { public: true } }, ada);
    await writeFile(place, '/greeting.txt', 'Hello\n');
    const bob = await service.createUser({ name: 'Bob' });
    const { body: fork } = await inProject<{ id: string }>({ ...place, user: bob }, 'POST', '/fork', { json: {} });
    await inProject({ ...place, user: bob, projectId: fork.id }, 'POST', '/branches', { json: { name: 'french' } });
    const page = await browser.open(service.url, { user: bob });
    await page.goto(`/projects/${fork.id}/merge-requests/new?source=french`);
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Says it in French');
    const read = page.waitForResponse((answer) => answer.url().includes(`${place.projectId}/branches`));
    await page.getByLabel('For the project').first().click();
    await page.getByRole('option').first().click();
    await page.waitForURL(/to=upstream/);
    await (await read).finished();
    await page.getByRole('button', { name: 'Open merge request' }).waitFor();
    expect(await description.inputValue()).toBe('Says it in French');
  });

  test('keep the comment that somebody is writing when a new version arrives', async () => {
    const { bob, place, clone, url } = await offered();
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    await page.getByRole('button', { name: 'Comment on line 2', exact: true }).click();
    const comment = page.getByRole('textbox', { name: 'Your comment' });
    await comment.fill('Why French?');
    await clone.commit('Say it louder', { 'src/greet.ts': source('BONJOUR') });
    await clone.git('push', '--quiet', 'origin', 'french');
    await page.getByText('There is a newer version.').waitFor();
    expect(await comment.inputValue()).toBe('Why French?');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article', { name: 'Thread on /src/greet.ts, line 2' }).getByText('Why French?').waitFor();
  });

  test('are found by a label that is typed with a pause', async () => {
    const { bob, url } = await offered();
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Label' }).pressSequentially('wor');
    await page.waitForURL(/label=wor/);
    await page.keyboard.type('ds');
    await page.waitForURL(/label=words/);
  });

  test('can be read with the keyboard alone', async () => {
    const { bob, place, url } = await offered({ 'src/greet.ts': source('Bonjour'), 'a.md': '# A\n', 'z.md': '# Z\n' });
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    await page.getByText('0 of 3 viewed').waitFor();
    await page.getByRole('region', { name: 'Changes in /a.md' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/a.md');
    await page.keyboard.press('x');
    await page.getByText('1 of 3 viewed').waitFor();
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('/src/greet.ts');
    await page.keyboard.press('n');
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Comment on old line 3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('c');
    await page.getByText('Comment on lines 3–4').waitFor();
    await page.keyboard.type('Both lines');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Thread on /src/greet.ts, lines 3–4' }).waitFor();
    // The form closes once everything about the request has been read again.
    await page.getByRole('textbox', { name: 'Your comment' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').getByText('Mark the file as viewed').waitFor();
  });

  test('show what others write at once, and the preview of their branch', async () => {
    const { ada, bob, place, url } = await offered({ 'index.html': '<h1>Bonjour</h1>\n' });
    await request(place);
    await deployed(place, { environment: 'preview', branch: 'french' });
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1`);
    await page.getByRole('link', { name: 'Preview: Ready' }).waitFor();
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open preview' }).click();
    await (await opened).getByRole('heading', { name: 'Bonjour' }).waitFor();
    await page.getByText('opened the merge request').waitFor();
    await look(page, 'merge-request-preview');
    const begun = await inProject<{ id: string }>(place, 'POST', '/merge-requests/1/threads', {
      json: { body: 'Well?' },
    });
    await page.getByText('Well?').waitFor();
    const said = `/merge-requests/1/threads/${begun.body.id}`;
    await inProject({ ...place, user: bob }, 'POST', `${said}/comments`, { json: { body: 'Well.' } });
    await page.getByText('Well.', { exact: true }).waitFor();
    await inProject(place, 'PATCH', said, { json: { resolved: true } });
    await page.getByText(`Resolved by ${ada.name}`).waitFor();
  });

  test('of two thousand files and twenty thousand lines keep most of them out of the DOM of the page', async () => {
    const lines = (from: number) => Array.from({ length: 10 }, (_, index) => `line ${from + index}\n`).join('');
    const many = Array.from({ length: 2000 }, (_, index) => [`files/${index}.txt`, lines(index)] as const);
    const { bob, place, url } = await offered(Object.fromEntries(many));
    await request(place);
    const page = await browser.open(service.url, { user: bob, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    await page.getByText('0 of 2000 viewed').waitFor();
    expect(await nodes(page)).toBeLessThan(5000);
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)');
    await page.locator('.review-files .diff-text').first().waitFor();
    expect(await nodes(page)).toBeLessThan(5000);
    // Beyond the first diffs, and early enough for the time that a busy service takes to count lines.
    await page.getByRole('textbox', { name: 'Find a file' }).fill('1010.txt');
    await page.locator('.changed-file-row').getByText('+10').waitFor();
    await page.getByRole('textbox', { name: 'Find a file' }).fill('1999.txt');
    await page
      .getByRole('button', { name: /1999\.txt/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Changes in /files/1999.txt' }).getByText('line 1999').waitFor();
    expect(await nodes(page)).toBeLessThan(5000);
    await page.keyboard.press('x');
    await page.getByText('1 of 2000 viewed').waitFor();
    await page.keyboard.press('k');
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused).toBe('/files/1998.txt');
    await page.getByRole('region', { name: 'Changes in /files/1998.txt' }).getByText('line 1998').waitFor();
  });
});
