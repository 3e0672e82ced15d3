import type { Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { projectOf } from '../../testing/samples/sample-deployments.ts';
import { contentAt, history } from '../../testing/samples/sample-files.ts';
import { openSocket, startSession } from '../../testing/samples/sample-sessions.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../../testing/samples/sample-workspaces.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { ask } from '../merge-requests.fixture.ts';
import { protect } from './rules.fixture.ts';

const reasonOf = async (at: InWorkspace) => (await inWorkspace<Workspace>(at, 'GET', '')).body.reason;
const because = 'could not be saved: The branch main changes only by merge requests';

describeWith([...workspacePrograms, 'git'], 'a workspace on a protected branch', () => {
  const service = useTestService({ settings: workspaceSettings });

  test('keeps its changes on its disk, says why, and offers them with a push to refs/for/', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    await protect(place);
    const at = await newWorkspace(place);
    expect((await run(at, 'echo two >> a.txt; echo new > b.txt; cat a.txt b.txt')).stdout).toBe('one\ntwo\nnew\n');
    const reason = await waitFor('a reason', async () => (await reasonOf(at))?.includes(because) && reasonOf(at));
    expect(reason).toContain(because);
    const coded = { reason_code: 'file_of_protected_branch', reason_values: { branch: 'main' } };
    expect((await inWorkspace<Workspace>(at, 'GET', '')).body).toMatchObject(coded);
    expect((await history(place)).data).toHaveLength(1);
    const pushed = await run(at, 'git add -A && git commit -qm "Say more" && git push origin HEAD 2>&1');
    expect(pushed.exit_code).not.toBe(0);
    expect(pushed.stdout).toContain('use: git push origin HEAD:refs/for/main');
    const proposed = await run(at, 'git push origin HEAD:refs/for/main 2>&1');
    expect(proposed.stdout).toContain('Merge request !1: http');
    expect((await ask(place, 'POST', '/1/merge', {})).body).toMatchObject({ state: 'merged' });
    expect(await contentAt(place, '/b.txt')).toBe('new\n');
    await waitFor('nothing is refused any more', async () => (await reasonOf(at)) === null);
    expect((await run(at, 'cat a.txt b.txt')).stdout).toBe('one\ntwo\nnew\n');
  });

  test('does not change a text that is open in a live session', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    const at = await newWorkspace(place);
    const session = await startSession(service, place.user, { workspace_id: place.projectId });
    const socket = await openSocket(service, session, { key: place.user.key });
    socket.send({ type: 'open_file', file_path: '/a.txt' });
    await socket.next('file_state');
    await protect(place);
    await run(at, 'echo two >> a.txt');
    await waitFor('a reason', async () => (await reasonOf(at))?.includes(because));
    expect(socket.messages.some(({ type }) => type === 'code_change')).toBe(false);
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    socket.ws.close();
  });
});
