import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { waitFor } from '../../server/src/testing/parts/wait-for.ts';
import { inProject, newPlace, type Place, writeFile } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look } from './look.ts';

const service = useTestService();
const browser = useBrowser();

const path = '/notes.txt';
const editorOf = (page: Page) => page.getByLabel(`Content of ${path}`);
/** The text without the names at the cursors, which are in the middle of it. */
const textIn = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('[aria-label="Content of ${path}"] .cm-line')].map((line) => {
    const copy = line.cloneNode(true);
    for (const caret of copy.querySelectorAll('.live-caret')) caret.remove();
    return copy.textContent;
  }).join('\\n')`) as Promise<string>;
const isIn = (page: Page, text: string) =>
  waitFor(`${text} is in the editor`, async () => (await textIn(page)).includes(text));
const isStored = (page: Page) => page.getByText('Live. All changes are stored.').waitFor();
const comments = (page: Page) => page.getByRole('tab', { name: /Comments/ });

async function contentOf(place: Place): Promise<string> {
  const { body } = await inProject<{ data: { id: string }[] }>(place, 'GET', '/files?type=file');
  return (await inProject(place, 'GET', `/files/${body.data[0]?.id}/content`)).text;
}

describeInBrowser('live editing', () => {
  test('two people write in one file, see each other, comment, continue without a connection, and end the session', async () => {
    const place = await newPlace(service, { name: 'Together' }, await service.createUser({ name: 'Olga' }));
    await writeFile(place, path, 'one\ntwo\nthree\n');
    const friend = await service.createUser({ name: 'Gus' });
    await addCollaborator(service, place.projectId, friend, { role: 'editor' });
    const [olga, gus] = [
      await browser.open(service.url, { user: place.user }),
      await browser.open(service.url, { user: friend }),
    ];
    await olga.goto(`/projects/${place.projectId}/files?path=${path}`);
    await olga.getByRole('button', { name: 'Live' }).click();
    await look(olga, 'live-start');
    await olga.getByRole('button', { name: 'Start', exact: true }).click();
    await olga.waitForURL(/session=ses_/);
    await isStored(olga);

    await gus.goto(`/projects/${place.projectId}/files?path=${path}`);
    await gus.getByRole('button', { name: 'Live' }).click();
    await gus.getByRole('button', { name: /^Join .+ session$/ }).click();
    await isStored(gus);
    await editorOf(olga).click();
    await olga.keyboard.press('Control+Home');
    await olga.keyboard.type('zero ');
    await isIn(gus, 'zero one');
    await editorOf(gus).click();
    await gus.keyboard.press('Control+End');
    await gus.keyboard.type('four');
    await isIn(olga, 'four');
    await olga.locator('.live-caret-name', { hasText: 'Gus' }).waitFor();
    await gus.keyboard.press('Shift+Home');
    await look(olga, 'live');
    await waitFor('what was typed is in the project', async () =>
      /zero one\ntwo\nthree\nfour/.test(await contentOf(place)),
    );

    await gus.keyboard.press('Control+Alt+m');
    await gus.getByLabel('Type').selectOption('suggestion');
    await gus.getByLabel('Your comment').fill('A better word');
    await gus.getByLabel('Suggested replacement').fill('FOUR!');
    await look(gus, 'live-comment');
    await gus.getByRole('button', { name: 'Send' }).click();
    await olga.locator('.comment-bubble:visible').click();
    const thread = olga.getByRole('article', { name: 'Suggestion, Line 4' });
    await thread.getByText('A better word').waitFor();
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByLabel(/^Reply to/).fill('Why not');
    await thread.getByRole('button', { name: 'Send' }).click();
    await gus.getByText('Why not').waitFor();
    await look(olga, 'live-thread');
    await thread.getByRole('button', { name: 'Apply' }).click();
    await isIn(gus, 'FOUR!');
    await olga.getByRole('button', { name: 'Show 1 resolved' }).waitFor();

    await gus.context().setOffline(true);
    await gus.getByText('Offline. You can keep editing').waitFor();
    await editorOf(gus).click();
    await gus.keyboard.press('Control+End');
    await gus.keyboard.type(' by Gus alone');
    await editorOf(olga).click();
    await olga.keyboard.press('Control+Home');
    await olga.keyboard.type('by Olga alone ');
    await look(gus, 'live-away');
    await gus.context().setOffline(false);
    for (const page of [olga, gus]) {
      await isIn(page, 'by Olga alone zero one');
      await isIn(page, 'FOUR! by Gus alone');
    }
    await isStored(gus);

    await service.pool.query(
      "update collaboration_sessions set expires_at = now() + interval '4 minutes' where project_id = $1",
      [place.projectId],
    );
    await gus.getByText('The session ends in 4 minutes').waitFor();
    await look(gus, 'live-ends-soon');
    await olga.getByRole('tab', { name: 'People' }).last().click();
    await olga.getByRole('button', { name: 'Extend' }).click();
    await olga.getByText('The session ends in').waitFor({ state: 'hidden' });
    await olga.getByRole('button', { name: `Actions for ${friend.name}` }).click();
    await olga.getByRole('menuitem', { name: 'Make read-only' }).click();
    await gus.getByText('You can read but not edit.').waitFor();
    await gus.getByText('Live. All changes are stored.').waitFor();
    await editorOf(gus).click();
    await gus.keyboard.type('nothing');
    await olga.getByRole('button', { name: 'End for everyone' }).click();
    await olga.getByRole('dialog').getByRole('button', { name: 'End for everyone' }).click();
    await gus.getByText('The session has ended. All changes are in the project.').waitFor();
    await look(gus, 'live-ended');
    await waitFor('everything is in the project', async () =>
      (await contentOf(place)).startsWith('by Olga alone zero one\ntwo\nthree\nFOUR! by Gus alone'),
    );
    expect(await contentOf(place)).not.toContain('nothing');
    await gus.getByRole('button', { name: 'Continue editing' }).click();
    await gus.getByText('Saved', { exact: true }).waitFor();
    await isIn(gus, 'FOUR! by Gus alone');
  });

  test('a guest joins by link, follows the host, comments on text that is later deleted, and is told if a link is invalid', async () => {
    const place = await newPlace(service, { name: 'Open house' }, await service.createUser({ name: 'Hanna' }));
    await writeFile(place, path, 'first\nsecond\n');
    const json = { name: 'Afternoon', workspace_id: place.projectId };
    const session = await call<{ session_id: string; invite_link: string }>(
      'POST',
      `${service.url}/v1/collaboration/sessions`,
      { token: place.user.key, json },
    );
    expect(session.status, session.text).toBe(201);
    const host = await browser.open(service.url, { user: place.user });
    await host.goto(`/projects/${place.projectId}/files?path=${path}&session=${session.body.session_id}`);
    await isStored(host);
    const stranger = await service.createUser({ name: 'Stella' });
    const guest = await browser.open(service.url, { user: stranger, width: 375, height: 740 });
    const link = new URL(session.body.invite_link);
    await guest.goto(link.pathname + link.search);
    await guest.getByRole('button', { name: 'Join session' }).waitFor();
    await look(guest, 'join');
    await guest.getByRole('button', { name: 'Join session' }).click();
    await guest.getByRole('tree').getByText(path.slice(1)).click();
    await isIn(guest, 'second');
    await guest.getByRole('button', { name: `Follow ${place.user.name}` }).click();
    await editorOf(host).click();
    await host.keyboard.press('Control+End');
    await host.keyboard.press('ArrowUp');
    await isIn(guest, 'second');
    await look(guest, 'live-guest-phone');
    expect(await guest.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await editorOf(guest).click();
    await guest.keyboard.press('Control+End');
    await guest.keyboard.type('third, by Stella');
    await isIn(host, 'third, by Stella');
    await guest.getByRole('button', { name: `Follow ${place.user.name}` }).waitFor();

    await comments(guest).click();
    await guest.getByRole('button', { name: 'Add comment' }).click();
    await guest.getByLabel('Your comment').fill('Keep this');
    await guest.getByRole('button', { name: 'Send' }).click();
    await host.locator('.comment-bubble:visible').waitFor();
    await editorOf(host).click();
    await host.keyboard.press('Control+End');
    await host.keyboard.press('Shift+Home');
    await host.keyboard.press('Delete');
    await guest.getByText('The commented text was deleted. It was:').waitFor();
    await guest
      .getByRole('article')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await guest.getByRole('menuitem', { name: 'Edit' }).click();
    await guest.getByLabel('Edit', { exact: true }).fill('It was good');
    await guest.getByRole('button', { name: 'Save', exact: true }).click();
    await guest.getByText('It was good').waitFor();
    await look(guest, 'live-orphaned-phone');

    await host.getByRole('button', { name: `Actions for ${stranger.name}` }).click();
    await host.getByRole('menuitem', { name: 'Remove from session' }).click();
    await host.getByRole('dialog').getByRole('button', { name: 'Remove from session' }).click();
    await guest.getByText('You were removed from the session.').waitFor();
    await guest.goto('/join/ses_01jd2m6vz8e3r9x5k7q4w1t0ab?invite=nothing');
    await guest.getByRole('button', { name: 'Join session' }).click();
    await guest.getByText('This session is not available').waitFor();
    await look(guest, 'join-over');
  });
});
