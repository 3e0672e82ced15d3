import { expect, test } from 'vitest';
import { ask } from '../../server/src/merge-requests/merge-requests.fixture.ts';
import {
  type Checked,
  checkedProject,
  queue,
  requestOf,
  ruled,
  withChecks,
} from '../../server/src/merge-requests/queue.fixture.ts';
import { buildSettings } from '../../server/src/testing/samples/sample-deployments.ts';
import { inProject } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const browser = useBrowser();

const checks = withChecks({
  lint: { run: String.raw`printf '\033[32m%s\033[0m\n' 'all files are tidy'` },
  test: {
    run: [
      "echo '::error file=a.txt,line=1,title=a.txt::Expected one, but found two'",
      "echo '::warning file=a.txt,line=9::Far away from the change'",
      'exit 1',
    ].join('; '),
  },
  slow: { run: 'echo started; sleep 600' },
  package: { run: 'true', needs: ['test'] },
  docs: { run: 'true', paths: ['docs/**'] },
});
const lines = (first: string) =>
  [first, ...Array.from({ length: 11 }, (_, index) => `line ${index + 2}`), ''].join('\n');

/** A request whose checks succeed, fail, take long, do not apply, and are missing. */
async function checkedRequest(): Promise<{ place: Checked; url: string; head: string }> {
  const place = await checkedProject(service, { '/bottega.json': checks, '/a.txt': lines('one') });
  await ruled(place, { approvals: 1, checks: ['lint', 'test', 'integration'] });
  const number = await requestOf(place, 'feature', { '/a.txt': lines('two') });
  const { body } = await ask(place, 'GET', number);
  return { place, url: `/projects/${place.projectId}/merge-requests`, head: body.head_sha };
}

describeInBrowser('checks', () => {
  test('are listed with their logs, and are run again and canceled', async () => {
    const { place, url, head } = await checkedRequest();
    const report = { name: 'security', head_sha: head, status: 'completed', conclusion: 'neutral' };
    const json = { ...report, details_url: 'https://example.com/1', output: { title: '3 findings' } };
    expect((await inProject(place, 'POST', '/checks', { json })).status).toBe(201);
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=checks`);
    const entry = (name: string) => page.getByRole('region', { name, exact: true });
    await entry('lint')
      .getByText(/^Succeeded/)
      .waitFor();
    await entry('test')
      .getByText(/^Failed/)
      .waitFor();
    await entry('package')
      .getByText(/^Skipped/)
      .waitFor();
    await entry('docs').getByText('Not affected by these changes').waitFor();
    await entry('integration').getByText('Not reported yet').waitFor();
    await entry('security')
      .getByText(/^Neutral · 3 findings/)
      .waitFor();
    await page.getByRole('link', { name: 'Some checks did not succeed' }).waitFor();
    await look(page, 'checks');

    await page.getByRole('button', { name: 'Details: slow' }).click();
    await entry('slow').getByText('started', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel: slow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await entry('slow')
      .getByText(/^Canceled/)
      .waitFor();
    await page.getByRole('button', { name: 'Details: lint' }).click();
    const tidy = entry('lint').getByText('all files are tidy', { exact: true });
    await tidy.waitFor();
    expect(await tidy.getAttribute('style')).toContain('--ansi-2');
    await look(page, 'check-log');
    await page.getByRole('button', { name: 'Run again: lint' }).click();
    await entry('lint')
      .getByText(/attempt 2/)
      .waitFor();
    await entry('lint').getByText('all files are tidy', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await lookOnPhone(page, 'phone-checks');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  test('show problems among the changes, and the keys of a reviewer stop at them', async () => {
    const { place, url } = await checkedRequest();
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`${url}/1?tab=changes`);
    const error = page.getByRole('article', { name: 'Error from test' });
    await error.getByText('Expected one, but found two').waitFor();
    await page.getByRole('article', { name: 'Warning from test' }).getByText('/a.txt, line 9').waitFor();
    await look(page, 'remarks');
    const focused = () => page.evaluate('document.activeElement.ariaLabel');
    for (let step = 0; step < 6 && (await focused()) !== 'Error from test'; step++) await page.keyboard.press('n');
    expect(await focused()).toBe('Error from test');
    await error.getByRole('link', { name: 'test' }).click();
    await page.getByText('2 remarks about lines').waitFor();
  });

  test('that are missing keep a merge request in the queue, and the request can leave the queue', async () => {
    const { place, url } = await checkedRequest();
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`${url}/1`);
    const box = page.getByRole('region', { name: 'Merging' });
    await box.getByText('Approvals are missing: 0 of 1 given.').waitFor();
    await box.getByText('These checks have not reported yet: integration.').waitFor();
    await box.getByText('These checks must succeed: test.').waitFor();
    expect(await box.getByRole('button', { name: 'Merge', exact: true }).isDisabled()).toBe(true);
    await look(page, 'merge-blocked');
    await box.getByRole('button', { name: 'Merge when ready' }).click();
    await box.getByText('It is number 1 in the queue.').waitFor();
    await look(page, 'merge-queued');
    await box.getByRole('link', { name: 'Queue of main' }).click();
    await page.getByText('Requirements not met yet').waitFor();
    await look(page, 'merge-queue');
    await page.getByRole('button', { name: 'Leave the queue: !1' }).click();
    await page.getByText('The queue is empty').waitFor();
    await page.getByRole('link', { name: 'All merge requests' }).click();
    await page.getByRole('link', { name: 'Merge queue' }).waitFor();
  });

  test('of a public project are shown to strangers without logs and buttons', async () => {
    const { place, url } = await checkedRequest();
    const settings = { settings: { public: true } };
    expect((await inProject(place, 'PATCH', '', { json: settings })).status).toBe(200);
    await queue(place, 1);
    const stranger = await service.createUser();
    const page = await browser.open(service.url, { user: stranger });
    await page.goto(`${url}/1?tab=checks`);
    await page.getByRole('button', { name: 'Details: test' }).click();
    await page.getByText('Only members see the log.').waitFor();
    await page.getByText('Expected one, but found two', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Run again|Cancel):/ }).count()).toBe(0);
    await page.goto(`${url}/1`);
    await page.getByText('It is number 1 in the queue.').waitFor();
    await page.getByText('Only members who can edit the project can merge.').waitFor();
    expect(await page.getByRole('button', { name: 'Leave the queue' }).count()).toBe(0);
  });
});

describeInBrowser('branch rules', () => {
  test('are added, changed and deleted by admins, and other members can see them', async () => {
    const place = await checkedProject(service);
    const editor = await service.createUser();
    await addCollaborator(service, place.projectId, editor, { role: 'editor' });
    const page = await browser.open(service.url, { user: place.user, width: 1440, height: 900 });
    await page.goto(`/projects/${place.projectId}/settings`);
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Branches' }).fill('release/*');
    await dialog.getByRole('textbox', { name: 'Approvals' }).fill('2');
    await dialog.getByRole('switch', { name: /^No direct push/ }).click();
    await dialog.getByRole('combobox', { name: 'Required checks' }).fill('test');
    await page.keyboard.press('Enter');
    await look(page, 'branch-rule');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No direct push · 2 approvals · checks: test').waitFor();
    await look(page, 'branch-rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await dialog.getByRole('textbox', { name: 'Branches' }).fill('a branch');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit: release/*' }).click();
    await dialog.getByRole('switch', { name: /^No direct push/ }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 approvals · checks: test', { exact: true }).waitFor();

    const theirs = await browser.open(service.url, { user: editor });
    await theirs.goto(`/projects/${place.projectId}/settings`);
    await theirs.getByText('2 approvals · checks: test', { exact: true }).waitFor();
    expect(await theirs.getByRole('button', { name: 'Add rule' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete: release/*' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No rules').waitFor();
  });
});
