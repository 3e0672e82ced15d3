import { waitFor } from '../../../server/src/testing/parts/wait-for.ts';
import { deployed, projectOf, visit } from '../../../server/src/testing/samples/sample-deployments.ts';
import { writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { readProject } from '../../../server/src/testing/samples/sample-projects.ts';
import { deploymentWords } from '../../src/deployments/deployment.words.ts';
import { deploymentsWords } from '../../src/deployments/deployments.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import type { Journey } from './journey.ts';

export const rollback: Journey = {
  title: 'a site is deployed again, and taken back to what it was before',
  async go({ service, somebody, open }) {
    const user = await somebody({ name: 'Rosa' });
    const place = await projectOf(service, { '/index.html': 'first' }, user, { name: 'Shop' });
    await deployed(place);
    await writeFile(place, '/index.html', 'second');
    const rosa = await open(user);
    const [list, one] = [rosa.words(deploymentsWords), rosa.words(deploymentWords)];
    await rosa.page.goto(`/projects/${place.projectId}`);
    await rosa.press('tab', rosa.words(projectWords).deployments);
    await rosa.press('link', list.deploy);
    await rosa.within('dialog').press('button', list.deploy);
    const status = rosa.page.getByRole('status').filter({ hasText: list.production });
    await status.getByText(list.live).waitFor();
    await rosa.press('link', one.back);
    await rosa.press('link', 'Begin');
    await rosa.press('button', one.rollback);
    await rosa.within('dialog').press('button', one.rollback);
    await rosa.sees(one.isLive);
    await status.getByText(list.live).waitFor();
    const { live_url: url } = await readProject(service, user, place.projectId);
    await waitFor('the first page is back', async () => String((await visit(`${url}/`)).body) === 'first');
  },
};
