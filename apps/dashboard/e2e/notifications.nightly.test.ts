import { expect, test } from 'vitest';
import { ask, invite } from '../../server/src/testing/samples/sample-collaborators.ts';
import { addCollaborator, createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { startSession } from '../../server/src/testing/samples/sample-sessions.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

describeInBrowser('notifications', () => {
  const service = useTestService();
  const browser = useBrowser();

  async function cast() {
    const owner = await service.createUser({ name: 'Ada Lovelace' });
    const member = await service.createUser({ name: 'Grace Hopper' });
    const project = await createProject(service, owner, { name: 'Loom' });
    await addCollaborator(service, project.id, member, { role: 'editor' });
    return { owner, member, project };
  }

  test('the bell counts new events, can be used by keyboard, and links to the event of each notification', async () => {
    const { owner, member, project } = await cast();
    const page = await browser.open(service.url, { user: member, width: 1440, height: 900 });
    await page.goto('/projects');
    const bell = page.getByRole('button', { name: 'Notifications', exact: true });
    await bell.waitFor();
    await startSession(service, owner, { workspace_id: project.id, name: 'Pairing' });
    const ringing = page.getByRole('button', { name: 'Notifications, 1 unread' });
    await ringing.waitFor();
    await ringing.focus();
    await page.keyboard.press('Enter');
    const told = page.getByRole('link', { name: 'Ada Lovelace started the live session “Pairing”' });
    await told.waitFor();
    await look(page, 'bell');
    await page.keyboard.press('Escape');
    await told.waitFor({ state: 'hidden' });
    await ringing.click();
    await told.click();
    await page.waitForURL(/\/files\?session=/);
    await bell.waitFor();
  });

  test('the screen shows all or only the unread notifications, marks them as read, and is available in German', async () => {
    const { owner, member, project } = await cast();
    const other = await createProject(service, owner, { name: 'Engine' });
    await invite(service, owner, other.id, { email: member.email, role: 'viewer' });
    for (const name of ['One', 'Two']) await startSession(service, owner, { workspace_id: project.id, name });
    const page = await browser.open(service.url, { user: member });
    await page.goto('/notifications');
    await page.getByRole('link', { name: 'Ada Lovelace invited you to Engine' }).waitFor();
    await look(page, 'notifications');
    await page.getByRole('button', { name: /^Mark as read: .*One/ }).click();
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
    await page.getByText('Unread', { exact: true }).click();
    await page.waitForURL(/unread=true/);
    await page.getByRole('link', { name: /“One”/ }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('Nothing new').waitFor();

    await ask(service, member, ['PATCH', '/user', { preferences: { language: 'de' } }]);
    const phone = await browser.open(service.url, { user: member, width: 390, height: 780 });
    await phone.goto('/notifications');
    await phone.getByRole('heading', { name: 'Benachrichtigungen' }).waitFor();
    await phone.getByRole('link', { name: /hat die Live-Sitzung „Two“ gestartet/ }).waitFor();
    await lookOnPhone(phone, 'notifications-phone');
    expect(await phone.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });
});
