import type { WorkspaceProcess } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError, missing, refused } from '../testing/clients/expect-error.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { processesIn } from './requests/processes.routes.ts';

const listed = async (at: InWorkspace): Promise<WorkspaceProcess[]> => {
  const { body, status, text } = await inWorkspace<{ data: WorkspaceProcess[] }>(at, 'GET', '/processes');
  expect(status, text).toBe(200);
  return body.data;
};
const signal = (at: InWorkspace, pid: number | string, json: Record<string, unknown> = {}) =>
  inWorkspace(at, 'POST', `/processes/${pid}/signal`, json);

describeWith(workspacePrograms, 'processes of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  /** A workspace with one process that ignores polite requests, and has a long command line. */
  async function withStubborn() {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const program = "process.on('SIGTERM', () => {}); console.log('re' + 'ady'); setInterval(() => {}, 1000)";
    const command = `exec node -e "${program}" $(head -c 60000 /dev/zero | tr '\\0' x)`;
    const { body } = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command, background: true });
    await waitFor('it runs', async () =>
      (await inWorkspace(at, 'GET', `/commands/${body.id}/output`)).text.includes('ready'),
    );
    const found = (await listed(at)).find((one) => one.command.startsWith('node -e'));
    if (!found) throw new Error('The process is not listed');
    return { at, found };
  }

  test('are listed with memory, processor time and start, and can be ended by a signal', async () => {
    const { at, found } = await withStubborn();
    expect(found.command.length).toBeLessThanOrEqual(500);
    expect(found.memory).toBeGreaterThan(1_000_000);
    expect(found.cpu_seconds).toBeGreaterThanOrEqual(0);
    expect(Math.abs(Date.now() - Date.parse(found.started_at))).toBeLessThan(600_000);
    expect((await signal(at, found.pid)).status).toBe(204);
    expect((await run(at, 'true')).exit_code).toBe(0);
    expect((await listed(at)).map(({ pid }) => pid)).toContain(found.pid);
    expect((await signal(at, found.pid, { signal: 'SIGKILL' })).status).toBe(204);
    await waitFor('it has ended', async () => !(await listed(at)).some(({ pid }) => pid === found.pid));
    expectError(await signal(at, found.pid), missing);
    expect((await signal(at, found.pid, { signal: 'SIGSTOP' })).status).toBe(422);
  });

  test('that have ended take no signal, even if their parent has not waited for them', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const command = 'sleep 0.1 & echo "child $!"; exec sleep 600';
    const { body } = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command, background: true });
    const child = await waitFor('the child', async () => {
      const { text } = await inWorkspace(at, 'GET', `/commands/${body.id}/output`);
      return /child (\d+)/.exec(text)?.[1];
    });
    const { stdout } = await run(
      at,
      `until grep -q '^State:.Z' /proc/${child}/status; do sleep 0.05; done; echo ended`,
    );
    expect(stdout).toBe('ended\n');
    expect((await listed(at)).map(({ pid }) => String(pid))).not.toContain(child);
    expectError(await signal(at, Number(child)), missing);
  });

  test('do not include the processes of the sandbox, which no signal reaches', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const { stdout } = await run(at, 'pgrep -f main.mjs; true');
    const inside = stdout.split('\n').filter(Boolean).map(Number);
    expect((await listed(at)).filter(({ command }) => command.includes('main.mjs'))).toEqual([]);
    for (const pid of [1, ...inside.slice(0, 1), 0, -1, 'x', '99999999']) {
      expectError(await signal(at, pid, { signal: 'SIGKILL' }), missing);
    }
    expect((await run(at, 'echo still here')).stdout).toBe('still here\n');
  });

  test('are visible to viewers, who cannot end them; listing them does not wake a sleeping workspace', async () => {
    const { at, found } = await withStubborn();
    const viewer = await service.createUser();
    await addCollaborator(service, at.projectId, viewer, { role: 'viewer' });
    const theirs = { ...at, user: viewer };
    expect((await listed(theirs)).map(({ pid }) => pid)).toContain(found.pid);
    expectError(await signal(theirs, found.pid), refused);
    await inWorkspace(at, 'POST', '/sleep');
    expect(await listed(at)).toEqual([]);
    expectError(await signal(at, found.pid), missing);
    expect((await inWorkspace<{ status: string }>(at, 'GET', '')).body.status).toBe('sleeping');
  });
});

test('the processes that an agent reports are checked field by field and limited', () => {
  const honest = { pid: 7, command: 'node', memory: 10, cpu_seconds: 0.5, started_at: 1_700_000_000_000 };
  expect(processesIn([honest, honest])).toEqual([{ ...honest, started_at: '2023-11-14T22:13:20.000Z' }]);
  for (const nothing of [null, undefined, 5, 'x', {}, [null], [[]], [{ pid: '7' }], [{ pid: 1 }], [{ pid: 1e9 }]]) {
    expect(processesIn(nothing)).toEqual([]);
  }
  const [odd] = processesIn([
    { pid: 7, command: `a\u001b[2J\n${'x'.repeat(9_000)}`, memory: -1, cpu_seconds: 'no', started_at: 1e300 },
  ]);
  expect(odd).toMatchObject({ memory: 0, cpu_seconds: 0, started_at: '2243-10-17T00:00:00.000Z' });
  expect(odd?.command).toMatch(/^a \[2J x+$/);
  expect(odd?.command.length).toBeLessThanOrEqual(500);
  expect(processesIn(Array.from({ length: 5_000 }, (_one, pid) => ({ ...honest, pid })))).toHaveLength(498);
});
