import { expect, test } from 'vitest';
import { useDirectory } from '../repository/smart-http/git-client.fixture.ts';
import { blocksOf, follow } from '../testing/parts/documented-page.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith([...workspacePrograms, 'curl', 'jq', 'bash'], 'docs/workspaces.md', () => {
  const service = useTestService({ settings: workspaceSettings });
  const cwd = useDirectory('page');

  test('has commands that run as printed, one after the other, and do what the page says', async () => {
    const { user, projectId } = await projectOf(service, {
      '/README.md': 'A project\n',
      '/src/main.ts': 'export {};\n',
    });
    // Without language servers on this machine, npm would be tried in vain.
    const hasLanguages = (await whyNoLanguages()) === null;
    const blocks = blocksOf('docs/workspaces.md').filter((block) => hasLanguages || !block.includes('diagnostics'));
    const variables = { KEY: user.key, PROJECT: projectId };
    const output = await follow(blocks, { cwd, url: service.url, variables });
    expect(output).toContain('README.md');
    expect(output).toContain('"exit_code":0');
    expect(output).toContain('"name":"Second attempt"');
    expect(output).toContain('"mode":"own"');
  });
});
