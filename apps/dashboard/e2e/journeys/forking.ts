import { expect } from 'vitest';
import { contentAt, newPlace, putFile, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { checksWords } from '../../src/checks/checks.words.ts';
import { newRequestWords } from '../../src/merge-requests/new-request.words.ts';
import { requestWords } from '../../src/merge-requests/request.words.ts';
import { overviewWords } from '../../src/overview/overview.words.ts';
import { longName } from './crowd.ts';
import type { Journey } from './journey.ts';

const projectFile = JSON.stringify({ checks: { greets: { run: 'grep Hello greeting.txt' } } });

export const forking: Journey = {
  title:
    'somebody who can only read a project forks it and offers a change, and its owner starts the checks and merges',
  async go({ service, somebody, open }) {
    const [owner, outsider] = [await somebody({ name: 'Ada' }), await somebody({ name: 'Bob' })];
    const place = await newPlace(service, { name: longName('Greetings'), settings: { public: true } }, owner);
    const { projectId } = place;
    await writeFile(place, '/bottega.json', projectFile);
    await writeFile(place, '/greeting.txt', 'Hello\n');

    const bob = await open(outsider);
    await bob.page.goto(`/projects/${projectId}/overview`);
    await bob.press('button', bob.words(overviewWords).fork);
    await bob.page.waitForURL((url) => !url.pathname.includes(projectId));
    const [, , forkId = ''] = new URL(bob.page.url()).pathname.split('/');
    const fork = { ...place, user: outsider, projectId: forkId };
    const change = { path: '/greeting.txt', content: 'Hello\nBonjour\n', message: 'Say hello in French' };
    const written = await putFile(fork, { ...change, branch: 'french', create_branch_from: 'main' });
    expect(written.status, written.text).toBe(200);
    await bob.press('link', bob.words(overviewWords).offer);
    const words = bob.words(newRequestWords);
    await bob.sees(words.project);
    await bob.page.goto(`/projects/${forkId}/merge-requests/new?to=upstream&source=french`);
    await bob.press('button', words.create);
    await bob.sees('Say hello in French');

    const ada = await open(owner);
    await ada.page.goto(`/projects/${projectId}/merge-requests/1`);
    const [request, checks] = [ada.words(requestWords), ada.words(checksWords)];
    await ada.press('tab', checks.checksOf(1));
    await ada.press('button', checks.start);
    await ada.within('region', 'greets').sees(checks.success);
    await ada.press('tab', request.conversation);
    await ada.press('button', request.merge);
    await ada.sees(request.mergedInto('Ada', 'main'));
    expect(await contentAt(place, '/greeting.txt')).toBe('Hello\nBonjour\n');
  },
};
