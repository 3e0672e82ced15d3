import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { MergeRequest } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useDirectory } from '../repository/smart-http/git-client.fixture.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { contentAt, inProject, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';

const page = readFileSync(new URL('../../../../docs/merge-requests.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)\n```\n/g)].map(([, script]) => script ?? '');

describeWith(['git', 'curl', 'jq', 'bash'], 'docs/merge-requests.md', () => {
  const service = useTestService();
  const cwd = useDirectory('page');

  test('its commands run as printed, one after the other, and do what the page says', async () => {
    const place = await newPlace(service);
    const reviewer = await service.createUser();
    await addCollaborator(service, place.projectId, reviewer, { role: 'viewer' });
    await writeFile(place, '/README.md', '# Shop\n');
    // The command line has tests of its own.
    const script = blocks.filter((block) => !block.startsWith('btg ')).join('\n');
    const { output, code } = await inShell(script, cwd, {
      ...{ API: `${service.url}/v1`, KEY: place.user.key, REVIEWER_KEY: reviewer.key, PROJECT: place.projectId },
      REMOTE: `${service.url.replace('://', `://me:${place.user.key}@`)}/git/${place.projectId}.git`,
    });
    expect(code, output).toBe(0);
    expect(output).toContain('/merge-requests/1');
    expect(output).toContain('-Au revoir\n+Au revoir !');
    expect(output).toContain('Add a space, as the French do');
    const { body } = await inProject<{ data: MergeRequest[] }>(place, 'GET', '/merge-requests');
    expect(body.data).toMatchObject([
      { number: 2, state: 'merged', version: 3, source: 'farewell' },
      { number: 1, state: 'open', version: 1, title: 'Say hello in French' },
    ]);
    expect(await contentAt(place, '/farewell.txt')).toBe('Au revoir, à bientôt !\n');
    const branches = await inProject<{ data: { name: string }[] }>(place, 'GET', '/branches');
    expect(branches.body.data.map(({ name }) => name)).not.toContain('farewell');
  });
});

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};

/** In one shell, because later commands use variables of earlier ones. A failing command ends it. */
function inShell(script: string, cwd: string, variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_TERMINAL_PROMPT: '0', ...person, ...variables };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  return new Promise<{ output: string; code: number | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, code }));
  });
}
