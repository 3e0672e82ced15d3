import type { Workspace, WorkspacePort } from '@bottega/contract';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject } from '../testing/samples/sample-files.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { plainWords } from './state/index.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith(workspacePrograms, 'a hostile program in a workspace', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_FILES_LIMIT_FREE: '6' } });

  test('that kills the agent stops its workspace, which can start again and be deleted', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    await inWorkspace(at, 'POST', '/commands', { command: 'kill -9 $PPID', background: true });
    const failed = await waitFor('the end', async () => {
      const now = await read(at);
      return now.status === 'failed' && now;
    });
    expect(failed.reason).toContain('The workspace ended');
    expect((await run(at, 'cat a.txt')).stdout).toBe('a\n');
    expect((await inWorkspace(at, 'DELETE', '')).status).toBe(204);
  });

  test('cannot bring characters into a reason that a row cannot store or that control a screen', () => {
    expect(plainWords('the end\0of it\u001b]0;x\u0007\u202e\ud800\n')).toBe('the end of it ]0;x');
    expect(plainWords('😀'.repeat(1_000)).length).toBeLessThanOrEqual(500);
  });

  test('that writes more files than allowed has the rest saved as soon as there is room', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n', '/b.txt': 'b\n', '/c.txt': 'c\n' });
    const at = await newWorkspace(place);
    await run(
      at,
      'for n in 1 2 3 4 5 6; do head -c 500000 /dev/urandom | base64 > $n.txt; done; sha1sum *.txt > /tmp/sums',
    );
    await waitFor('a reason', async () => (await read(at)).reason?.includes('could not be saved'));
    await run(at, 'rm a.txt b.txt c.txt');
    const names = await waitFor('all files', async () => {
      const { body } = await inProject<{ data: { path: string }[] }>(place, 'GET', '/files?recursive=true');
      return body.data.length === 6 && body.data.map(({ path }) => path).sort();
    });
    expect(names).toEqual(['/1.txt', '/2.txt', '/3.txt', '/4.txt', '/5.txt', '/6.txt']);
    expect(await contentAt(place, '/6.txt')).toBe((await run(at, 'cat 6.txt')).stdout);
    await waitFor('no reason', async () => (await read(at)).reason === null);
  });

  test('that keeps opening ports has its ports listed, and causes few events', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const program = `
      const { createServer } = require('node:net');
      const listen = (first) => Array.from({ length: 50 }, (_, n) => createServer().listen(first + n));
      const all = listen(4000);
      setTimeout(() => { for (const one of all) one.close(); listen(5000); }, 2500);`;
    await inWorkspace(at, 'POST', '/commands', {
      command: `node -e '${program.replaceAll("'", '"')}'`,
      background: true,
    });
    await waitFor('the later ports', async () => {
      const { body } = await inWorkspace<{ data: WorkspacePort[] }>(at, 'GET', '/ports');
      return body.data.some(({ port, listening }) => port === 5049 && listening);
    });
    const { rows } = await service.pool.query(
      "select count(*)::int as count from events where type = 'workspace.port_opened' and project_id = $1",
      [at.projectId],
    );
    expect(rows[0].count).toBeGreaterThan(0);
    expect(rows[0].count).toBeLessThanOrEqual(60);
  });

  test('with very long commands can still have its commands listed', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const command = `true ${'x'.repeat(99_000)}`;
    for (let number = 0; number < 12; number++) await run(at, command);
    const listed = await inWorkspace<{ data: { command: string }[] }>(at, 'GET', '/commands');
    expect(listed.status, listed.text.slice(0, 200)).toBe(200);
    expect(listed.body.data).toHaveLength(12);
    expect((await run(at, 'echo still here')).stdout).toBe('still here\n');
  });

  test('gets no input that is too large for one message, and its workspace goes on', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const command = `wc -c # ${'x'.repeat(40_000)}`;
    const large = await inWorkspace(at, 'POST', '/commands', { command, stdin: 'x'.repeat(1_000_000) });
    expect(large.status, large.text).toBe(422);
    expect(large.text).toContain('stdin');
    expect((await run(at, 'wc -c', { stdin: 'x'.repeat(1_000_000) })).stdout.trim()).toBe('1000000');
  });
});
