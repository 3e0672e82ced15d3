import type { Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, history, inProject, listPaths, writeFile } from '../testing/samples/sample-files.ts';
import { openSocket, startSession } from '../testing/samples/sample-sessions.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

/** Runs a command that must succeed. */
async function sh(at: InWorkspace, command: string): Promise<string> {
  const done = await run(at, command);
  expect(done.exit_code, `${command}: ${done.stdout}${done.stderr}`).toBe(0);
  return done.stdout;
}

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith([...workspacePrograms, 'git'], 'a checkout in a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  async function twoBranches() {
    const place = await projectOf(service, { '/a.txt': 'one\n', '/both.txt': 'both\n' });
    const feature = { ...place, branch: 'feature' };
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
    await writeFile(feature, '/a.txt', 'feature\n');
    await writeFile(feature, '/only.txt', 'only\n');
    return { place, feature, at: await newWorkspace(place) };
  }

  test('of another branch makes the workspace follow that branch, and writes nothing to the former one', async () => {
    const { place, feature, at } = await twoBranches();
    await sh(at, 'echo mine > mine.txt; git add -A; git commit -qm Mine; git checkout -q feature 2>&1');
    expect(await read(at)).toMatchObject({ branch: 'feature', reason: null });
    const told = await call<{ data: unknown[] }>(
      'GET',
      `${service.url}/v1/events?types=workspace.branch_changed&project_id=${place.projectId}`,
      { token: place.user.key },
    );
    expect(told.body.data).toMatchObject([{ data: { workspace: { branch: 'feature', former_branch: 'main' } } }]);
    expect(await sh(at, 'git status --porcelain; cat a.txt only.txt; ls mine.txt 2>&1 || true')).toContain(
      'feature\nonly\n',
    );
    expect(await listPaths(place)).not.toContain('/only.txt');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'echo more >> a.txt');
    expect(await contentAt(feature, '/a.txt')).toBe('feature\nmore\n');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'git stash -q && git checkout -q main');
    expect(await read(at)).toMatchObject({ branch: 'main' });
    expect(await sh(at, 'cat a.txt mine.txt')).toBe('one\nmine\n');
    expect(await contentAt(place, '/mine.txt')).toBe('mine\n');
    // Between the two commands, the file without the change may be saved, or not.
    expect(['feature\nmore\n', 'feature\n']).toContain(await contentAt(feature, '/a.txt'));
    await sh(at, 'git checkout -q feature && git stash pop');
    expect(await contentAt(feature, '/a.txt')).toBe('feature\nmore\n');
  });

  test('of a new branch creates it, with the changes of the same command', async () => {
    const { place, at } = await twoBranches();
    await sh(at, 'git checkout -qb topic/new && echo new > new.txt');
    expect(await read(at)).toMatchObject({ branch: 'topic/new', reason: null });
    expect(await contentAt({ ...place, branch: 'topic/new' }, '/new.txt')).toBe('new\n');
    expect(await listPaths(place)).not.toContain('/new.txt');
    await sh(at, 'git add -A && git commit -qm New && git push 2>&1');
    const { data } = await history({ ...place, branch: 'topic/new' }, '?limit=10');
    expect(data.map(({ message }) => message)).toContain('New');
    expect(await sh(at, 'git pull 2>&1; git status --porcelain')).toContain('Fast-forward');
  });

  test('of a commit pauses saving until a branch is checked out again', async () => {
    const { place, at } = await twoBranches();
    await sh(at, 'git checkout -q --detach && echo lost > a.txt');
    await waitFor('the reason', async () => (await read(at)).reason?.includes('HEAD is detached'));
    await writeFile(place, '/both.txt', 'changed\n');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'git checkout -q main');
    await waitFor('the disk', async () => (await sh(at, 'cat a.txt both.txt')) === 'lost\nchanged\n');
    await waitFor('no reason', async () => (await read(at)).reason === null);
    expect(await contentAt(place, '/a.txt')).toBe('lost\n');
  });

  test('loses nothing that people type and write on both branches at the same time', async () => {
    const { place, feature, at } = await twoBranches();
    const session = await startSession(service, place.user, { workspace_id: place.projectId });
    const socket = await openSocket(service, session, { key: place.user.key });
    socket.send({ type: 'open_file', file_path: '/a.txt' });
    await socket.next('file_state');
    const typed: string[] = [];
    const written: string[] = [];
    for (let round = 0; round < 6; round++) {
      const branch = round % 2 === 0 ? 'feature' : 'main';
      // Git refuses a checkout if something was typed since the commit.
      const moved = run(at, `until git checkout -q ${branch}; do git add -A; git commit -qm Save; done`);
      typed.push(`typed${round}x`);
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: `${typed.at(-1)}\n` }];
      socket.send({ type: 'code_change', file_path: '/a.txt', changes });
      written.push(`written${round}x`);
      await writeFile(feature, '/both.txt', `${written.join('\n')}\n`);
      expect(await moved).toMatchObject({ exit_code: 0 });
    }
    socket.send({ type: 'save', file_path: '/a.txt' });
    await waitFor('all that was typed', async () => {
      const content = await contentAt(place, '/a.txt');
      return typed.every((one) => content.split(one).length === 2);
    });
    expect(await contentAt(feature, '/a.txt')).toBe('feature\n');
    expect(await contentAt(feature, '/both.txt')).toBe(`${written.join('\n')}\n`);
    await waitFor('the disk', async () => (await sh(at, 'cat a.txt')) === (await contentAt(place, '/a.txt')));
    socket.ws.close();
  });

  test('counts as one change, and nothing is saved or written while git holds its lock', async () => {
    const { place, at } = await twoBranches();
    await sh(at, 'touch .git/index.lock; echo half > a.txt');
    await writeFile(place, '/both.txt', 'changed\n');
    expect(await sh(at, 'cat both.txt')).toBe('both\n');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'echo whole > a.txt; rm .git/index.lock');
    expect(await contentAt(place, '/a.txt')).toBe('whole\n');
    await waitFor('the disk', async () => (await sh(at, 'cat both.txt')) === 'changed\n');
    const { data } = await history(place);
    expect(data.filter(({ message }) => message === 'Change a.txt in a workspace')).toHaveLength(1);
  });

  test('stash takes changes off the branch, and stash pop brings them back', async () => {
    const { place, at } = await twoBranches();
    await sh(at, 'echo two >> a.txt');
    await sh(at, 'git stash');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'git stash pop');
    expect(await contentAt(place, '/a.txt')).toBe('one\ntwo\n');
  });

  test('that was unfinished when the workspace went to sleep is saved after it wakes', async () => {
    const { place, at } = await twoBranches();
    await sh(at, 'true');
    await inWorkspace(at, 'POST', '/sleep');
    await sh(at, 'touch .git/index.lock; echo late > a.txt; sleep 0.3');
    await inWorkspace(at, 'POST', '/sleep');
    expect(await contentAt(place, '/a.txt')).toBe('one\n');
    await sh(at, 'true');
    await waitFor('the file', async () => (await contentAt(place, '/a.txt')) === 'late\n');
  });

  test('survives sleep with its branch, index and commits', async () => {
    const { at, feature } = await twoBranches();
    await sh(at, 'git checkout -q feature && echo kept > kept.txt && git add kept.txt && git commit -qm Kept');
    await sh(at, 'echo staged > staged.txt && git add staged.txt');
    await inWorkspace(at, 'POST', '/sleep');
    await writeFile(feature, '/a.txt', 'meanwhile\n');
    expect(await sh(at, 'git log -1 --format=%s; git symbolic-ref HEAD; git status --porcelain; cat a.txt')).toBe(
      'Kept\nrefs/heads/feature\n M a.txt\nA  staged.txt\nmeanwhile\n',
    );
    expect(await contentAt(feature, '/staged.txt')).toBe('staged\n');
  });
});
