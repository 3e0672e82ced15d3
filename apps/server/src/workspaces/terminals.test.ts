import type { WorkspaceTerminal } from '@bottega/contract';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

/** A client of a terminal, with everything that it has seen. */
async function watch(at: InWorkspace, id: string, key = at.user.key) {
  const path = `/v1/projects/${at.projectId}/workspaces/${at.workspace.id}/terminals/${id}/ws`;
  const ws = new WebSocket(`${at.service.url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const seen = { screen: '', messages: [] as string[] };
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) seen.screen += data.toString();
    else seen.messages.push(data.toString());
  });
  const closed = new Promise<number>((resolve) => ws.on('close', resolve));
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  return { ws, seen, closed, type: (text: string) => ws.send(Buffer.from(text), { binary: true }) };
}

describeWith(workspacePrograms, 'terminals of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  async function open(at: InWorkspace): Promise<WorkspaceTerminal> {
    const answer = await inWorkspace<WorkspaceTerminal>(at, 'POST', '/terminals', { cols: 100, rows: 30 });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  }

  test('run a shell that sees the files, and end with its exit code', async () => {
    const at = await newWorkspace(await projectOf(service, { '/hello.txt': 'hello from the project\n' }));
    const { id } = await open(at);
    const one = await watch(at, id);
    one.type('cat hello.txt; stty size\n');
    await waitFor('the output', () => one.seen.screen.includes('hello from the project'));
    await waitFor('the size', () => one.seen.screen.includes('30 100'));
    one.ws.send(JSON.stringify({ cols: 60, rows: 20 }));
    one.type('stty size\n');
    await waitFor('the new size', () => one.seen.screen.includes('20 60'));
    one.type('exit 4\n');
    expect(await one.closed).toBe(1000);
    expect(one.seen.messages).toEqual(['{"exit_code":4}']);
  });

  test('reach the repository as the person who opened them, until they end', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const { id } = await open(at);
    const one = await watch(at, id);
    one.type('echo $BOTTEGA_GIT_TOKEN > /tmp/token; git fetch && echo fetched $?\n');
    await waitFor('the fetch', () => one.seen.screen.includes('fetched 0'));
    const later = { command: 'BOTTEGA_GIT_TOKEN=$(cat /tmp/token) git fetch 2>&1 && echo fetched' };
    const fetched = async () => (await inWorkspace<{ stdout: string }>(at, 'POST', '/commands', later)).body.stdout;
    expect(await fetched()).toBe('fetched\n');
    one.type('exit\n');
    await one.closed;
    await waitFor('the end of the token', async () =>
      (await fetched()).includes('that started this git process has ended'),
    );
  });

  test('show the screen to a second person, whose input counts only with the right to write', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const viewer = await service.createUser();
    await addCollaborator(service, at.projectId, viewer);
    const { id } = await open(at);
    const one = await watch(at, id);
    one.type('echo first-line\n');
    await waitFor('the output', () => /first-line\r\n/.test(one.seen.screen));
    const other = await watch(at, id, viewer.key);
    await waitFor('the replay', () => /first-line\r\n/.test(other.seen.screen));
    other.type('echo from-the-viewer\n');
    one.type('echo from-the-writer\n');
    await waitFor('both see it', () => other.seen.screen.includes('from-the-writer\r\n'));
    expect(one.seen.screen).not.toContain('from-the-viewer');
    one.ws.close();
    other.ws.close();
  });

  test('take no input from a read-only key, whatever its owner may do', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    const { key } = await service.createKey(place.user.id, { scopes: ['read:workspaces'] });
    const { id } = await open(at);
    const [one, reader] = [await watch(at, id), await watch(at, id, key)];
    reader.type('echo from-the-reader\n');
    one.type('echo from-the-writer\n');
    await waitFor('the output', () => reader.seen.screen.includes('from-the-writer\r\n'));
    expect(one.seen.screen).not.toContain('from-the-reader');
    one.ws.close();
    reader.ws.close();
  });

  test('close within moments for a person who loses access', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const editor = await service.createUser();
    const collaboration = await addCollaborator(service, at.projectId, editor, { role: 'editor' });
    const { id } = await open(at);
    const theirs = await watch(at, id, editor.key);
    expect((await inProject(at, 'DELETE', `/collaborators/${collaboration}`)).status).toBe(204);
    expect(await theirs.closed).toBe(4003);
  });
});
