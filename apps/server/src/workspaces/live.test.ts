import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject } from '../testing/samples/sample-files.ts';
import { openSocket, startSession } from '../testing/samples/sample-sessions.ts';
import { newWorkspace, run, workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(workspacePrograms, 'a workspace and live editing', () => {
  const service = useTestService({ settings: workspaceSettings });

  async function editing(files: Record<string, string>) {
    const place = await projectOf(service, files, undefined, { settings: { auto_save: false } });
    const at = await newWorkspace(place);
    const session = await startSession(service, place.user, { workspace_id: place.projectId });
    const socket = await openSocket(service, session, { key: place.user.key });
    return { place, at, socket };
  }

  const typed = (path: string, line: number, text: string) => ({
    type: 'code_change',
    file_path: path,
    changes: [{ type: 'insert', position: { line: line + 1, column: 1 }, text }],
  });

  test('text that a person types is on the disk before it is saved', async () => {
    const { at, socket } = await editing({ '/a.txt': 'one\ntwo\n' });
    socket.send({ type: 'open_file', file_path: '/a.txt' });
    await socket.next('file_state');
    socket.send(typed('/a.txt', 1, 'typed\n'));
    await waitFor('the disk has it', async () => (await run(at, 'cat a.txt')).stdout === 'one\ntyped\ntwo\n');
  });

  test('a change by a program appears in the open text, merged with what was typed meanwhile', async () => {
    const { place, at, socket } = await editing({ '/a.txt': 'one\ntwo\nthree\n' });
    socket.send({ type: 'open_file', file_path: '/a.txt' });
    await socket.next('file_state');
    socket.send(typed('/a.txt', 0, 'typed\n'));
    await waitFor('the disk has it', async () => (await run(at, 'cat a.txt')).stdout.startsWith('typed'));
    await run(at, 'sed -i s/three/THREE/ a.txt');
    await socket.next('code_change');
    expect((await run(at, 'cat a.txt')).stdout).toBe('typed\none\ntwo\nTHREE\n');
    // The person has not saved: their text is a draft, and the program's change is in it.
    expect(await contentAt(place, '/a.txt')).toBe('one\ntwo\nthree\n');
    socket.send({ type: 'save', file_path: '/a.txt' });
    await socket.next('saved');
    expect(await contentAt(place, '/a.txt')).toBe('typed\none\ntwo\nTHREE\n');
  });

  test('a change by a program to an open file without unsaved text is saved', async () => {
    const { place, at, socket } = await editing({ '/a.txt': 'one\n' });
    socket.send({ type: 'open_file', file_path: '/a.txt' });
    await socket.next('file_state');
    await run(at, 'echo two >> a.txt');
    await socket.next('code_change');
    await waitFor('the file has it', async () => (await contentAt(place, '/a.txt')) === 'one\ntwo\n');
  });

  test('a change through the API and one on the disk are merged', async () => {
    const place = await projectOf(service, { '/a.txt': '1\n2\n3\n4\n5\n6\n' });
    const at = await newWorkspace(place);
    await run(at, 'true');
    const background = run(at, 'sleep 0.3; sed -i s/6/six/ a.txt; sleep 0.3');
    await inProject(place, 'PUT', '/files', { json: { path: '/a.txt', content: 'one\n2\n3\n4\n5\n6\n' } });
    await background;
    await waitFor('both', async () => (await contentAt(place, '/a.txt')) === 'one\n2\n3\n4\n5\nsix\n');
    expect((await run(at, 'cat a.txt')).stdout).toBe('one\n2\n3\n4\n5\nsix\n');
  });
});
