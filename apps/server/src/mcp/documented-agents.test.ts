import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt } from '../testing/samples/sample-files.ts';
import { whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const page = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script ?? '');

describeWith([...workspacePrograms, 'curl', 'jq', 'bash'], 'docs/agents.md', () => {
  const service = useTestService({ settings: workspaceSettings });

  test('its commands run as printed, one after the other, and do what the page says', async () => {
    const place = await projectOf(service, { '/README.md': 'A project\n' });
    // Without language servers on this machine, npm would be tried in vain.
    const hasLanguages = (await whyNoLanguages()) === null;
    const script = blocks.filter((block) => hasLanguages || !block.includes('read_diagnostics')).join('\necho ----\n');
    const { output, code } = await inShell(script, {
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

/** In one shell, because later commands use variables of earlier ones. A failing command ends it. */
function inShell(script: string, variables: Record<string, string>): Promise<{ output: string; code: number | null }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { env: { PATH: process.env.PATH, ...variables } });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, code }));
  });
}
