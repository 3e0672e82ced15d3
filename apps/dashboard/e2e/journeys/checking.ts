import { expect } from 'vitest';
import { join } from '../../../server/src/testing/samples/sample-collaborators.ts';
import { contentAt, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { branchRulesWords } from '../../src/branch-rules/branch-rules.words.ts';
import { checksWords } from '../../src/checks/checks.words.ts';
import { changesWords } from '../../src/merge-requests/changes.words.ts';
import { readinessWords } from '../../src/merge-requests/readiness.words.ts';
import { requestWords } from '../../src/merge-requests/request.words.ts';
import { longName } from './crowd.ts';
import type { Journey } from './journey.ts';
import type { Walker } from './walker.ts';

const check = 'no placeholders';
/** Fails while the file has a placeholder, and says in which line. */
const run =
  "! grep -n TODO greeting.txt || { echo '::error file=greeting.txt,line=2,title=Left::A TODO is left'; exit 1; }";
const projectFile = JSON.stringify({ checks: { [check]: { run } } });

export const checking: Journey = {
  title: 'a failing check is shown at its line, a fix makes it pass, and the request is merged once it is approved',
  async go({ service, git, somebody, open }) {
    const [author, reviewer] = [await somebody({ name: 'Ada' }), await somebody({ name: 'Bob' })];
    const place = await newPlace(service, { name: longName('Greetings') }, author);
    const { projectId } = place;
    await writeFile(place, '/bottega.json', projectFile);
    await writeFile(place, '/greeting.txt', 'Hello\n');
    await join(service, { owner: author, projectId }, reviewer, { role: 'editor' });
    const clone = await git.clone(projectId, author);
    const offer = async (text: string) => {
      await clone.commit('Say hello in French', { 'greeting.txt': text });
      await clone.git('push', '--quiet', 'origin', 'HEAD:refs/for/main', '-o', 'topic=french');
    };

    const ada = await open(author);
    await addRule(ada, projectId);
    await offer('Hello\nTODO\n');
    await ada.page.goto(`/projects/${projectId}/merge-requests/1`);
    await failsAtItsLine(ada);

    await offer('Hello\nBonjour\n');
    const [request, checks, readiness] = [ada.words(requestWords), ada.words(checksWords), ada.words(readinessWords)];
    await ada.press('tab', checks.checksOf(1));
    await ada.within('region', check).sees(checks.success);
    await ada.press('tab', request.conversation);
    await ada.sees(readiness.approvals(0, 1));
    await ada.press('button', readiness.mergeWhenReady);
    await ada.sees(readiness.place(1));
    await ada.press('link', readiness.queueOf('main'));
    await ada.sees(readiness.waiting);

    await approve(await open(reviewer), projectId);
    await ada.sees(readiness.empty);
    await ada.page.goto(`/projects/${projectId}/merge-requests/1`);
    await ada.sees(request.mergedInto('Ada', 'main'));
    expect(await contentAt(place, '/greeting.txt')).toBe('Hello\nBonjour\n');
  },
};

/** The branch main takes only what was checked and approved. */
async function addRule(walker: Walker, projectId: string): Promise<void> {
  const words = walker.words(branchRulesWords);
  await walker.page.goto(`/projects/${projectId}/settings`);
  await walker.press('button', words.add);
  const dialog = walker.within('dialog', words.add);
  await dialog.write(words.pattern, 'main');
  await dialog.press('switch', new RegExp(`^${words.no_direct_push}`));
  await dialog.write(words.approvals, '1');
  await dialog.write(words.checks, check);
  await walker.page.keyboard.press('Enter');
  await dialog.press('button', words.save);
  await walker.sees(words.checksOf(check));
}

/** The log and the line are in the list of checks, and the line also in the diff. */
async function failsAtItsLine(walker: Walker): Promise<void> {
  const [request, checks] = [walker.words(requestWords), walker.words(checksWords)];
  await walker.press('tab', checks.checksOf(1));
  const entry = walker.within('region', check);
  await entry.sees(checks.failure);
  await entry.sees(checks.required);
  await entry.press('button', `${checks.details}: ${check}`);
  await entry.sees('2:TODO');
  await entry.sees(checks.annotations(1));
  await walker.press('tab', request.changesOf(1));
  const remark = walker.within('article', checks.byCheck(checks.failureLevel, check));
  await remark.sees('A TODO is left');
  await walker.press('tab', request.conversation);
  await walker.sees(walker.words(readinessWords).check_failed(check));
}

async function approve(walker: Walker, projectId: string): Promise<void> {
  const words = walker.words(changesWords);
  await walker.page.goto(`/projects/${projectId}/merge-requests/1?tab=changes`);
  await walker.press('button', words.finish);
  await walker.press('radio', words.APPROVE);
  await walker.press('button', words.submit);
  await walker.sees(words.submitted);
}
