import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../../apps/server/src/testing/parts/mail-server.ts';
import type { Attacked } from './service.ts';

/** One ordinary account, and its working directory. */
export type Attacker = { url: string; key: string; directory: string };

/** For attacks that affect somebody else's work. */
export type Scene = { attacker: Attacker; other: Attacker; service: Attacked; mail: MailServer };

/** An attack: it is prepared before the clock runs, then runs and reports its result. */
export type Attack = {
  name: string;
  needsSandbox?: boolean;
  prepare(scene: Scene): Promise<(until: AbortSignal) => Promise<string>>;
  /** Effects that show only later, such as after a restart; nothing is measured meanwhile. */
  afterwards?(scene: Scene): Promise<string>;
};

export async function newAttacker(url: string, key: string): Promise<Attacker> {
  return { url, key, directory: await mkdtemp(join(tmpdir(), 'bottega-abuse-')) };
}

export type Answer<Body> = { status: number; bytes: number; body: Body };

/** Returns refusals like any other answer; throws only if the service does not answer. */
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

/** A request that has to succeed for the attack to work. */
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

/** Repeats until the time is over, and counts the answers by status. */
export async function repeat(until: AbortSignal, attempt: () => Promise<number>, max = 1000): Promise<string> {
  const counts = new Map<string, number>();
  for (let count = 0; count < max && !until.aborted; count++) {
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

/** Runs git without the machine's own settings; ends it when the time is over. */
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
