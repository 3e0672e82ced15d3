import { createProject } from '../../../server/src/testing/samples/sample-projects.ts';
import { kitWords } from '../../src/kit/kit.words.ts';
import { overviewWords } from '../../src/overview/overview.words.ts';
import { projectsWords } from '../../src/projects/projects.words.ts';
import type { Journey } from './journey.ts';

export const lists: Journey = {
  title: 'one of many projects is found by sorting, paging and searching',
  async go({ service, somebody, open }) {
    const user = await somebody({ name: 'Lin' });
    for (let number = 1; number <= 21; number++) await createProject(service, user, { name: `Sample ${number}` });
    await createProject(service, user, { name: 'Compiler', description: 'From source to something that runs' });
    const lin = await open(user);
    const [words, kit] = [lin.words(projectsWords), lin.words(kitWords)];
    await lin.page.goto('/projects');
    await lin.sees(words.count(22));
    await lin.choose(words.sort, 'name');
    await lin.press('button', kit.next);
    await lin.sees(kit.page(2, 2));
    await lin.sees('Sample 9');
    await lin.write(words.search, 'something that');
    await lin.sees(words.count(1));
    await lin.press('link', 'Compiler');
    await lin.sees(lin.words(overviewWords).noCommits);
  },
};
