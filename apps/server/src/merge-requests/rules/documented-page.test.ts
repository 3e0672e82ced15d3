import type { BranchRule, MergeRequest } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useDirectory } from '../../repository/smart-http/git-client.fixture.ts';
import { blocksOf, inShell } from '../../testing/parts/documented-page.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { history, inProject, newPlace, writeFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

describeWith(['git', 'curl', 'jq', 'bash'], 'docs/branch-rules.md', () => {
  const service = useTestService();
  const cwd = useDirectory('page');

  test('its commands run as printed, one after the other, and do what the page says', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/README.md', '# Shop\n');
    const { output, code } = await inShell(blocksOf('docs/branch-rules.md').join('\n'), cwd, {
      ...{ API: `${service.url}/v1`, KEY: place.user.key, PROJECT: place.projectId },
      REMOTE: `${service.url.replace('://', `://me:${place.user.key}@`)}/git/${place.projectId}.git`,
    });
    expect(code, output).toBe(0);
    expect(output).toContain('main changes only by merge requests; use: git push origin HEAD:refs/for/main');
    expect(output).toContain('One more approval is required\n');
    expect((await history(place)).data).toHaveLength(1);
    const requests = await inProject<{ data: MergeRequest[] }>(place, 'GET', '/merge-requests');
    expect(requests.body.data).toMatchObject([{ title: 'Say hello in French', target: 'main', state: 'open' }]);
    const rules = await inProject<{ data: BranchRule[] }>(place, 'GET', '/branch-rules');
    expect(rules.body.data).toMatchObject([
      { pattern: 'main', approvals: 1, owners: true, no_direct_push: true },
      { pattern: 'release/*', approvals: 2, owners: true },
    ]);
  });
});
