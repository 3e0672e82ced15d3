import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../../apps/server/src/testing/parts/mail-server.ts';
import type { Attacked } from './service.ts';

/** One ordinary account, and what it attacks with. */
export type Attacker = { url: string; key: string; directory: string };

/** For attacks whose point is what becomes of somebody else's work. */
export type Scene = { attacker: Attacker; other: Attacker; service: Attacked; mail: MailServer };

/** What is prepared before the clock runs; then the attack itself, which says what it got. */
export type Attack = {
  name: string;
  needsSandbox?: boolean;
  prepare(scene: Scene): Promise<(until: AbortSignal) => Promise<string>>;
  /** What shows only later, such as after a restart; nothing is measured meanwhile. */
  afterwards?(scene: Scene): Promise<string>;
};

export async function newAttacker(url: string, key: string): Promise<Attacker> {
  return { url, key, directory: await mkdtemp(join(tmpdir(), 'bottega-abuse-')) };
}

export type Answer<Body> = { status: number; bytes: number; body: Body };

/** Refusals are answers like any other; only a service that does not answer throws. */
export async function ask<Body = Record<string, unknown>>(
  { url, key }: Pick<Attacker, 'url' | 'key'>,
  [method, path, json]: [string, string, unknown?],
  signal?: AbortSignal,
): Promise<Answer<Body>> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, bytes: text.length, body: parsed(text) as Body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** What has to succeed for the attack to be one. */
export async function must<Body = Record<string, unknown>>(
  attacker: Pick<Attacker, 'url' | 'key'>,
  request: [string, string, unknown?],
): Promise<Body> {
  const answer = await ask<Body>(attacker, request);
  if (answer.status >= 300) throw new Error(`${request[0]} ${request[1]}: ${answer.status}`);
  return answer.body;
}

export const newProject = async (attacker: Attacker, fields: object = {}): Promise<string> =>
  (await must<{ id: string }>(attacker, ['POST', '/projects', { name: 'Abuse', ...fields }])).id;

/** Again and again until the time is over; the answers are counted by their status. */
export async function repeat(until: AbortSignal, attempt: () => Promise<number>, most = 1000): Promise<string> {
  const counts = new Map<string, number>();
  for (let count = 0; count < most && !until.aborted; count++) {
    const status = await attempt().then(String, () => 'none');
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status !== '200') await pause(50);
  }
  return [...counts].map(([status, times]) => `${times} × ${status}`).join(', ') || 'no answer';
}

export async function untilOver(until: AbortSignal): Promise<void> {
  while (!until.aborted) await pause(100);
}

type Ran = { code: number | string | null; stderr: string; stdout: string };

/** git with nothing of the machine's own settings; ended when the time is over. */
export function git(
  directory: string,
  args: string[],
  { input, signal }: { input?: string | Buffer; signal?: AbortSignal } = {},
): Promise<Ran> {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Abuse',
    GIT_AUTHOR_EMAIL: 'abuse@example.com',
    GIT_COMMITTER_NAME: 'Abuse',
    GIT_COMMITTER_EMAIL: 'abuse@example.com',
  };
  return new Promise((resolve) => {
    const options = { cwd: directory, env, maxBuffer: 64 * 1024 * 1024, ...(signal && { signal }) };
    const child = execFile('git', args, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 'killed') : 0, stdout: String(stdout).trim(), stderr: String(stderr) }),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
  });
}

export const repositoryUrl = ({ url, key }: Attacker, project: string): string =>
  `${url.replace('://', `://abuse:${key}@`)}/git/${project}.git`;
