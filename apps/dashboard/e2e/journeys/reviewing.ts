import { expect } from 'vitest';
import { join } from '../../../server/src/testing/samples/sample-collaborators.ts';
import { contentAt, inProject, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { branchesWords } from '../../src/branches/branches.words.ts';
import { changesWords } from '../../src/merge-requests/changes.words.ts';
import { newRequestWords } from '../../src/merge-requests/new-request.words.ts';
import { requestWords } from '../../src/merge-requests/request.words.ts';
import { requestsWords } from '../../src/merge-requests/requests.words.ts';
import { threadWords } from '../../src/merge-requests/thread.words.ts';
import { notificationWords } from '../../src/notifications/notifications.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import { longName } from './crowd.ts';
import type { Journey } from './journey.ts';

const path = '/greeting.ts';
const before = 'export const hello = "Hello";\nexport const bye = "Bye";\n';
const after = 'export const hello = "Bonjour";\nexport const bye = "Bye";\n';

export const reviewing: Journey = {
  title: 'a branch is offered, commented line by line, approved, and merged',
  async go({ service, git, somebody, open }) {
    const [author, reviewer] = [await somebody({ name: 'Ada' }), await somebody({ name: 'Bob' })];
    const place = await newPlace(service, { name: longName('Greetings') }, author);
    await writeFile(place, path, before);
    await join(service, { owner: author, projectId: place.projectId }, reviewer, { role: 'editor' });
    const clone = await git.clone(place.projectId, author);
    await clone.git('checkout', '--quiet', '-b', 'french');
    await clone.commit('Say hello in French', { [path.slice(1)]: after });
    await clone.git('push', '--quiet', 'origin', 'french');

    const ada = await open(author);
    const [request, threads] = [ada.words(requestWords), ada.words(threadWords)];
    const making = ada.words(newRequestWords);
    await ada.page.goto(`/projects/${place.projectId}`);
    await ada.press('tab', ada.words(projectWords).code);
    await ada.press('tab', ada.words(projectWords).branches);
    await ada.press('link', `${ada.words(branchesWords).openRequest}: french`);
    await ada.sees(making.commits(1));
    await ada.write(making.description, 'See [the guide](guide.md).\n\n- [x] French\n- [ ] Italian');
    await ada.mention(making.description, '\n\nWhat do you think, @Bo', 'Bob');
    await ada.press('button', making.create);
    await ada.sees(request.opened('Ada'));
    await ada.sees('☐ Italian');
    const asked = await inProject(place, 'PATCH', '/merge-requests/1', { json: { reviewers: [reviewer.id] } });
    expect(asked.status).toBe(200);

    const bob = await open(reviewer);
    const changes = bob.words(changesWords);
    await bob.page.goto('/notifications');
    await bob.sees(bob.words(notificationWords).merge_request_mention('Ada', '!1 Say hello in French'));
    await bob.page.goto('/projects');
    await bob.goTo(bob.words(requestsWords).reviews);
    await bob.press('link', 'Say hello in French');
    await bob.press('tab', request.changesOf(1));
    await bob.press('button', threads.commentOn(1));
    await bob.write(threads.content, 'Is *Salut* better?');
    await bob.press('button', threads.startReview);
    await bob.sees('Salut');
    await bob.press('button', changes.finishWith(1));
    await bob.write(changes.summary, 'Very good.');
    await bob.press('radio', changes.APPROVE);
    await bob.press('button', changes.submit);
    await bob.sees(changes.submitted);
    await bob.press('checkbox', changes.isViewed(path));
    await bob.sees(changes.viewedCount(1, 1));

    await ada.page.reload();
    await ada.sees(request.APPROVE('Bob'));
    const thread = ada.within('article', threads.threadOn(threads.line(path, 1)));
    await thread.press('button', threads.resolve);
    await ada.sees(threads.resolvedBy('Ada'));
    await ada.press('button', request.merge);
    await ada.sees(request.mergedInto('Ada', 'main'));
    expect(await contentAt(place, path)).toBe(after);
  },
};
