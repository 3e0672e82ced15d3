import { expect, test } from 'vitest';
import { useDirectory } from '../repository/smart-http/git-client.fixture.ts';
import { blocksOf, inShell } from '../testing/parts/documented-page.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt } from '../testing/samples/sample-files.ts';
import { whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith([...workspacePrograms, 'curl', 'jq', 'bash'], 'docs/agents.md', () => {
  const service = useTestService({ settings: workspaceSettings });
  const cwd = useDirectory('page');

  test('its commands run as printed, one after the other, and do what the page says', async () => {
    const place = await projectOf(service, { '/README.md': 'A project\n' });
    // Without language servers on this machine, npm would be tried in vain.
    const hasLanguages = (await whyNoLanguages()) === null;
    const blocks = blocksOf('docs/agents.md').filter((block) => hasLanguages || !block.includes('read_diagnostics'));
    const { output, code } = await inShell(blocks.join('\necho ----\n'), cwd, {
      API: `${service.url}/v1`,
      KEY: place.user.key,
      PROJECT: place.projectId,
    });
    expect(code, output).toBe(0);
    expect(output).toContain('exited with 1 ');
    expect(output).toContain('exited with 0 ');
    expect(output).toContain('A program listens on port 3000.');
    expect(output).toContain('"name":"Mender"');
    expect(output).toContain('CONFLICT: A person stopped this agent in the workspace. Do not try again,');
    expect(output).toContain('/sum.test.js');
    expect(await contentAt(place, '/sum.js')).toBe('module.exports = (a, b) => a + b;\n');
  });
});
