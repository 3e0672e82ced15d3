import { request } from 'node:http';
import type { Workspace, WorkspacePort } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError, refused } from '../testing/clients/expect-error.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { openLanguage } from '../testing/samples/sample-languages.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const server = "require('node:http').createServer((_, response) => response.end('hello')).listen(3000)";
const interfaces = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '";

/** What a visitor of a port reads. The name of its host may not resolve on this machine. */
function visit(url: string): Promise<string> {
  const { host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers: { host } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith(workspacePrograms, 'rules of the plan for workspaces', () => {
  const service = useTestService({
    settings: { ...workspaceSettings, BOTTEGA_WORKSPACE_NETWORK_FREE: 'off', BOTTEGA_LANGUAGE_SERVERS_FREE: 'off' },
  });
  const files = { '/a.ts': 'export const a: number = "text";\n', '/server.js': server };

  test('without network, programs reach nothing outside, but ports and git still work', async () => {
    const at = await newWorkspace(await projectOf(service, files));
    expect(at.workspace).toMatchObject({ network: null, language_servers: null });
    expect((await run(at, interfaces)).stdout).toBe('lo\n');
    expect(await read(at)).toMatchObject({ network: 'off', language_servers: false });
    const reach = "require('node:net').connect(53, '9.9.9.9').on('error', ({ code }) => console.log(code))";
    expect((await run(at, `node -e "${reach}"`)).stdout).toBe('ENETUNREACH\n');
    await inWorkspace(at, 'POST', '/commands', { command: 'node server.js', background: true });
    const found = await waitFor('the port', async () => {
      const { body } = await inWorkspace<{ data: WorkspacePort[] }>(at, 'GET', '/ports');
      return body.data.find((one) => one.port === 3000 && one.listening);
    });
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    expect(await visit(found.url)).toBe('hello');
    const git = await run(at, 'git ls-remote origin main | wc -l');
    expect(git.stdout.trim(), git.stderr).toBe('1');
  });

  test('without language servers, requests for problems and the connection of an editor are a 403 that names the plan', async () => {
    const at = await newWorkspace(await projectOf(service, files));
    await run(at, 'true');
    const answer = await inWorkspace(at, 'GET', '/diagnostics?path=/a.ts');
    expectError(answer, refused);
    expect(answer.text).toContain('The free plan does not include language servers');
    await expect(openLanguage(at)).rejects.toThrow('403');
    expect((await run(at, 'ls -A /opt/bottega/languages 2>/dev/null | wc -l')).stdout.trim()).toBe('0');
  });

  test('another plan gives what its settings say, and a change of plan takes effect at the next start', async () => {
    const owner = await service.createUser({ plan: 'pro' });
    const at = await newWorkspace(await projectOf(service, files, owner));
    const hasNetwork = (await run(at, interfaces)).stdout.includes('tap0');
    expect(await read(at)).toMatchObject({ network: hasNetwork ? 'public' : 'off', language_servers: true });
    await service.pool.query("update users set plan = 'free' where id = $1", [owner.id]);
    expect(await read(at)).toMatchObject({ language_servers: true });
    await inWorkspace(at, 'POST', '/sleep');
    expect((await run(at, interfaces)).stdout).toBe('lo\n');
    expect(await read(at)).toMatchObject({ network: 'off', language_servers: false });
  });
});
