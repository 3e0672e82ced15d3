import { expect } from 'vitest';
import { contentAt, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { branchesWords } from '../../src/branches/branches.words.ts';
import { mergeWords } from '../../src/branches/merge.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import { longName, longText } from './crowd.ts';
import type { Journey } from './journey.ts';

export const branches: Journey = {
  title: 'a branch is made, compared, and merged through a conflict',
  async go({ service, git, somebody, open }) {
    const user = await somebody({ name: 'Bea' });
    const place = await newPlace(service, { name: longName('Guidebook') }, user);
    await writeFile(place, '/guide.md', longText('Once upon a time.'));
    const bea = await open(user);
    const [words, merge] = [bea.words(branchesWords), bea.words(mergeWords)];
    await bea.page.goto(`/projects/${place.projectId}`);
    await bea.press('tab', bea.words(projectWords).code);
    await bea.press('tab', bea.words(projectWords).branches);
    await bea.write(words.name, 'feature');
    await bea.press('button', words.create);
    await bea.sees(words.even);
    // Somebody pushes to it.
    const clone = await git.clone(place.projectId, user);
    await clone.git('checkout', '--quiet', 'feature');
    await clone.commit('Begin otherwise', { 'guide.md': longText('It was a dark night.') });
    await clone.git('push', '--quiet', 'origin', 'feature');
    await writeFile(place, '/guide.md', longText('Long, long ago.'));
    await bea.press('link', `${words.compare}: feature`);
    await bea.sees(merge.conflictsIn(1));
    await bea.press('button', merge.resolve);
    await bea.within('dialog').write(merge.message, 'Bring both together');
    await bea.within('dialog').press('button', merge.resolve);
    await bea.press('button', merge.takeFrom('feature'));
    await bea.sees(merge.resolved(1, 1));
    await bea.press('button', merge.mergeInto('feature', 'main'));
    await bea.sees(merge.merged('feature', 'main'));
    expect(await contentAt(place, '/guide.md')).toBe(longText('It was a dark night.'));
  },
};
