import type { MergeRequest } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useDirectory } from '../repository/smart-http/git-client.fixture.ts';
import { blocksOf, inShell } from '../testing/parts/documented-page.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { contentAt, inProject, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';

const blocks = blocksOf('docs/merge-requests.md');

describeWith(['git', 'curl', 'jq', 'bash'], 'docs/merge-requests.md', () => {
  const service = useTestService();
  const cwd = useDirectory('page');

  test('its commands run as printed, one after the other, and do what the page says', async () => {
    const place = await newPlace(service);
    const reviewer = await service.createUser();
    await addCollaborator(service, place.projectId, reviewer, { role: 'viewer' });
    await writeFile(place, '/README.md', '# Shop\n');
    const { output, code } = await inShell(blocks.join('\n'), cwd, {
      ...{ API: `${service.url}/v1`, KEY: place.user.key, REVIEWER_KEY: reviewer.key, PROJECT: place.projectId },
      REMOTE: `${service.url.replace('://', `://me:${place.user.key}@`)}/git/${place.projectId}.git`,
    });
    expect(code, output).toBe(0);
    expect(output).toContain('/merge-requests/1');
    expect(output).toContain('-Au revoir\n+Au revoir !');
    expect(output).toContain('Add a space, as the French do');
    const requests = async () => (await inProject<{ data: MergeRequest[] }>(place, 'GET', '/merge-requests')).body.data;
    await waitFor('the queue has merged the first', async () =>
      (await requests()).some(({ number, state }) => number === 1 && state === 'merged'),
    );
    expect(await requests()).toMatchObject([
      { number: 3, state: 'open', version: 1, title: 'Add a hint', source_project: { name: expect.any(String) } },
      { number: 2, state: 'merged', version: 3, source: 'farewell' },
      { number: 1, state: 'merged', version: 1, title: 'Say hello in French' },
    ]);
    expect(await contentAt(place, '/farewell.txt')).toBe('Au revoir, à bientôt !\n');
    const branches = await inProject<{ data: { name: string }[] }>(place, 'GET', '/branches');
    expect(branches.body.data.map(({ name }) => name)).not.toContain('farewell');
  });
});
