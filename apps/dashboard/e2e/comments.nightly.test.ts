import { expect, test } from 'vitest';
import { ask } from '../../server/src/testing/samples/sample-collaborators.ts';
import { writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator, createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { onSessions, startSession } from '../../server/src/testing/samples/sample-sessions.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

describeInBrowser('comments on files', () => {
  const service = useTestService();
  const browser = useBrowser();

  async function cast() {
    const owner = await service.createUser({ name: 'Ada Lovelace' });
    const member = await service.createUser({ name: 'Grace Hopper' });
    const { id: projectId } = await createProject(service, owner, { name: 'Loom' });
    await addCollaborator(service, projectId, member, { role: 'editor' });
    await writeFile({ service, user: owner, projectId }, '/main.ts', 'export const one = 1;\nexport const two = 2;\n');
    await writeFile({ service, user: owner, projectId }, '/other.ts', 'export const three = 3;\n');
    return { owner, member, projectId };
  }

  test('need no session: a comment is created, notifies the people it mentions, is answered and resolved; then the panel is closed', async () => {
    const { owner, member, projectId } = await cast();
    const page = await browser.open(service.url, { user: owner, width: 1440, height: 900 });
    await page.goto(`/projects/${projectId}/files?path=/main.ts&line=2`);
    await page.getByText('export const two').click();
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByLabel('Your comment').fill(`Why two, @${member.username}?`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article', { name: 'Comment, Line 2' }).waitFor();
    await look(page, 'file-comments');

    const theirs = await browser.open(service.url, { user: member, width: 1440, height: 900 });
    await theirs.goto('/projects');
    await theirs.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await theirs.getByRole('link', { name: /Ada Lovelace mentioned you in \/main\.ts:2/ }).click();
    await theirs.waitForURL(/path=.*main\.ts&line=2/);
    await theirs.getByRole('button', { name: 'Comments (1)' }).click();
    const thread = theirs.getByRole('article', { name: 'Comment, Line 2' });
    await thread.getByText('Ada Lovelace').waitFor();
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByRole('textbox').fill('It comes after one.');
    await thread.getByRole('button', { name: 'Send' }).click();
    await thread.getByText('It comes after one.').waitFor();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await theirs.getByRole('button', { name: 'Show 1 resolved' }).waitFor();
    const toggle = theirs.getByRole('button', { name: 'Comments', exact: true });
    await toggle.waitFor();
    const panel = theirs.getByRole('complementary', { name: 'Comments' });
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(await theirs.evaluate('document.activeElement.textContent')).toBe('Comments');
  });

  test('offer the people of the project after an @, by keyboard and mouse; on a phone too', async () => {
    const { owner, member, projectId } = await cast();
    const page = await browser.open(service.url, { user: owner, width: 1440, height: 900 });
    await page.goto(`/projects/${projectId}/files?path=/main.ts&line=2`);
    await page.getByText('export const two').click();
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    await page.getByRole('button', { name: 'Add comment' }).click();
    const field = page.getByLabel('Your comment');
    await field.pressSequentially('Why, @hop');
    const option = page.getByRole('option', { name: 'Grace Hopper', selected: true });
    await option.waitFor();
    await look(page, 'mention');
    await field.press('Escape');
    await option.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Why, @hop');
    await field.press('Backspace');
    expect(await option.count()).toBe(0);
    await field.fill('Why, ');
    await field.pressSequentially('@gra');
    await field.press('Enter');
    expect(await field.inputValue()).toBe(`Why, @${member.username} `);
    await field.pressSequentially('@');
    await option.click();
    expect(await field.inputValue()).toBe(`Why, @${member.username} @${member.username} `);
    await field.pressSequentially('two?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .locator('.mention', { hasText: `@${member.username}` })
      .first()
      .waitFor();

    const phone = await browser.open(service.url, { user: owner, width: 390, height: 844 });
    await phone.goto(`/projects/${projectId}/files?path=/main.ts`);
    await phone.getByRole('button', { name: 'Comments (1)' }).click();
    await phone.getByRole('button', { name: 'Reply' }).click();
    await phone.getByRole('article').getByRole('textbox').pressSequentially('@');
    await phone.getByRole('option', { name: 'Grace Hopper' }).waitFor();
    await lookOnPhone(phone, 'mention-phone');
    expect(await phone.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await phone.getByRole('option', { name: 'Grace Hopper' }).click();
    expect(await phone.getByRole('article').getByRole('textbox').inputValue()).toBe(`@${member.username} `);
  });

  test('outlive their session, and comments on other files are listed; on a phone too', async () => {
    const { owner, projectId } = await cast();
    const session = await startSession(service, owner, { workspace_id: projectId, name: 'Pairing' });
    const remark = { file_path: '/other.ts', position: { line: 1, column: 1 }, content: 'Said in a session' };
    await onSessions(service, owner, ['POST', `/${session.session_id}/comments`, remark]);
    await onSessions(service, owner, ['DELETE', `/${session.session_id}`]);
    await ask(service, owner, ['PATCH', '/user', { preferences: { language: 'de' } }]);
    const page = await browser.open(service.url, { user: owner, width: 390, height: 780 });
    await page.goto(`/projects/${projectId}/files?path=/main.ts`);
    await page.getByRole('button', { name: 'Kommentare (1)' }).click();
    await page.getByText('Offen in anderen Dateien (1)').waitFor();
    await lookOnPhone(page, 'file-comments-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await page.getByRole('button', { name: /Said in a session/ }).click();
    await page.waitForURL(/path=.*other\.ts&line=1/);
    await page.getByRole('article', { name: 'Kommentar, Zeile 1' }).getByText('Said in a session').waitFor();
  });

  test('belong to the file in which they were begun, although another file is shown when they are sent', async () => {
    const { owner, projectId } = await cast();
    const page = await browser.open(service.url, { user: owner, width: 1440, height: 900 });
    await page.goto(`/projects/${projectId}/files?path=/main.ts&line=2`);
    await page.getByText('export const two').click();
    await page.getByRole('button', { name: 'Comments', exact: true }).click();
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByLabel('Your comment').fill('Is it the same as three?');
    await page.getByRole('treeitem', { name: 'other.ts' }).click();
    await page.getByText('export const three').waitFor();
    const form = page.getByRole('form', { name: 'Comment on line 2' });
    await form.getByText('/main.ts').waitFor();
    for (const name of ['other.ts', 'main.ts']) await page.getByRole('button', { name: `Close ${name}` }).click();
    await page.getByText('Open a file to see its comments.').waitFor();
    expect(await form.getByLabel('Your comment').inputValue()).toBe('Is it the same as three?');
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: /\/main\.ts:2.*Is it the same as three/ }).click();
    await page.getByRole('article', { name: 'Comment, Line 2' }).getByText('Is it the same as three?').waitFor();
  });

  test('a live session goes on if it cannot be read once more', async () => {
    const { owner, projectId } = await cast();
    const session = await startSession(service, owner, { workspace_id: projectId, name: 'Long' });
    const page = await browser.open(service.url, { user: owner });
    await page.goto(`/projects/${projectId}/files?path=/main.ts&session=${session.session_id}`);
    await page.getByText('Live. All changes are stored.').waitFor();
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests', details: {} };
    await page.route(/\/sessions\/ses_\w+$/, (route) => route.fulfill({ status: 429, json: { error } }));
    // It is read every ten seconds once it ends soon. What came of the first refusal is shown when the second one comes.
    await service.pool.query(
      "update collaboration_sessions set expires_at = now() + interval '4 minutes' where project_id = $1",
      [projectId],
    );
    for (let count = 0; count < 2; count++) await page.waitForResponse((answer) => answer.status() === 429);
    await page.getByText('Live. All changes are stored.').waitFor();
    expect(await page.getByText('The session has ended').count()).toBe(0);
  });

  test('a live session offers no new link after it has ended', async () => {
    const { owner, projectId } = await cast();
    const session = await startSession(service, owner, { workspace_id: projectId, name: 'Short' });
    const page = await browser.open(service.url, { user: owner });
    // The session has to be open; otherwise the request is refused because the session is gone.
    const joined = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto(`/projects/${projectId}/files?path=/main.ts&session=${session.session_id}`);
    await page.getByRole('button', { name: 'New link' }).waitFor();
    await joined;
    await onSessions(service, owner, ['DELETE', `/${session.session_id}`]);
    await page.getByRole('button', { name: 'New link' }).waitFor({ state: 'detached' });
  });
});
