import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { createProject } from './file-load.ts';
import { figuresOf, type Measured } from './measure.ts';
import { descendantsOf, memoryOf } from './packaged-service.ts';
import type { Row } from './report.ts';
import { send } from './send.ts';
import { timeCopies } from './workspace-copies.ts';
import { timeLive } from './workspace-live.ts';

type Context = { bottega: string; pid: number; bare: string; key: string };

const files = 5_000;
const smallProject = 100;
const rounds = 15;

/** Workspaces of a project with 5,000 files, next to a bare sandbox and a bare terminal. */
export async function measureWorkspaces(context: Context): Promise<Row[]> {
  const unseen = await timed(5, async () => {
    const project = await createProject(files, context);
    return firstCommand(context, project);
  });
  const project = await createProject(files, context);
  await firstCommand(context, project);
  const seen = await timed(rounds, () => firstCommand(context, project));
  const at = await open(context, project);
  await command(context, at);
  const commands = await timed(rounds * 10, () => during(() => command(context, at)));
  const wakes = await timed(rounds, async () => {
    await send(context, 'POST', `${at}/sleep`, {});
    return during(() => command(context, at));
  });
  const keys = await echoes(context, at);
  const { forks, starts } = await timeCopies(context, rounds);
  const { written, typed } = await timeLive(context, rounds);
  const idle = await idleBytes(context, project);
  const small = await idleBytes(context, await createProject(smallProject, context));
  const sandbox = await timed(rounds, () => during(bareSandbox));
  return [
    rowOf('POST of a workspace to the result of its first command, tree seen before', seen, sandbox, 'p50 ≤ 250 ms'),
    rowOf('The same, tree not seen before', unseen, sandbox, 'p95 ≤ 1,500 ms'),
    rowOf('Wake to the result of a command', wakes, sandbox, '≤ 500 ms'),
    rowOf('Command of `true`', commands, sandbox, 'p50 ≤ 15 ms'),
    rowOf('Echo of a key in a terminal', keys, sandbox, 'p50 ≤ 5 ms'),
    rowOf('POST of a fork', forks, sandbox, 'p50 ≤ 100 ms'),
    rowOf('POST to the result of a command with the 3,000 files of a stored setup', starts, sandbox, 'p50 ≤ 250 ms'),
    rowOf('Command that writes a file, until an open editor has it', written, sandbox, 'p95 ≤ 200 ms'),
    rowOf('Key in an editor, until a program finds it on the disk', typed, sandbox, '≤ 600 ms'),
    memoryRow('Memory of an idle workspace', idle),
    memoryRow(`The same with ${smallProject} files`, small),
  ];
}

async function timed(count: number, once: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let number = 0; number < count; number++) all.push(await once());
  return all;
}

async function during(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function open(context: Context, project: string): Promise<string> {
  const { id } = await send<{ id: string }>(context, 'POST', `/projects/${project}/workspaces`, {});
  return `/projects/${project}/workspaces/${id}`;
}

const command = (context: Context, at: string) => send(context, 'POST', `${at}/commands`, { command: 'true' });

async function firstCommand(context: Context, project: string): Promise<number> {
  let at = '';
  const milliseconds = await during(async () => {
    at = await open(context, project);
    await command(context, at);
  });
  await send(context, 'DELETE', at);
  return milliseconds;
}

const idleMs = 10_000;
const idleOnes = 4;

/** The memory of the processes of an idle workspace: the agent, its sandbox and its network. */
async function idleBytes(context: Context, project: string): Promise<number> {
  const before = new Set(descendantsOf(context.pid));
  const all = await Promise.all(Array.from({ length: idleOnes }, () => open(context, project)));
  for (const at of all) await command(context, at);
  await delay(idleMs);
  const bytes = memoryOf(descendantsOf(context.pid).filter((pid) => !before.has(pid)));
  for (const at of all) await send(context, 'DELETE', at);
  return bytes / idleOnes;
}

function memoryRow(what: string, bytes: number): Row {
  const ours = { perSecond: 0, p50: 0, p99: 0, text: `${(bytes / 1e6).toFixed(1)} MB` };
  const none = { ...ours, text: '–' };
  return { what, against: '–', goal: '≤ 15 MB', ours, other: none, ratio: 0 };
}

/** From a key that is sent to its echo, at the client of the same machine. */
async function echoes(context: Context, at: string): Promise<number[]> {
  const { id } = await send<{ id: string }>(context, 'POST', `${at}/terminals`, { cols: 80, rows: 24 });
  const ws = new WebSocket(`${context.bottega.replace('http', 'ws')}/v1${at}/terminals/${id}/ws`, {
    headers: { authorization: `Bearer ${context.key}` },
  });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  const next = () => new Promise((resolve) => ws.once('message', resolve));
  await next();
  const all = await timed(200, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const echo = next();
    return during(async () => {
      ws.send(Buffer.from('x'), { binary: true });
      await echo;
    });
  });
  ws.terminate();
  return all;
}

const bareSandbox = () =>
  promisify(execFile)('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--', '/bin/true']);

function rowOf(what: string, ours: number[], other: number[], goal: string): Row {
  const measured: Measured = { ours: figuresOf(ours), other: figuresOf(other), ratio: 0 };
  return { what, against: 'a bare bubblewrap that runs `true`', goal, ...measured };
}
