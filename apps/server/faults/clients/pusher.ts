import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Api } from './api.ts';
import type { Ledger } from './ledger.ts';
import { contentOf, pause } from './writers.ts';

type Client = { api: Api; ledger: Ledger; projectId: string; isOver: () => boolean; dir: string };

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

const gitWithin =
  (timeout: number) =>
  async (dir: string, ...args: string[]): Promise<string> => {
    const env = { PATH: '/usr/bin:/bin:/usr/local/bin', HOME: dir, ...environment };
    const running = promisify(execFile)('git', ['-C', dir, ...args], { env, timeout, maxBuffer: 2 ** 28 });
    return (await running).stdout.trim();
  };

const git = gitWithin(60_000);
/** For the auditor: cloning a history of half an hour takes time. */
export const patientGit = gitWithin(600_000);

export const remoteOf = (api: Api, projectId: string): string =>
  `${api.anyNode().url.replace('://', `://any:${api.key}@`)}/git/${projectId}.git`;

/** Pushes from a clone, now and then to a branch, which is then merged by REST. */
export async function push({ api, ledger, projectId, isOver, dir }: Client): Promise<void> {
  await mkdir(dir, { recursive: true });
  await git(dir, 'init', '--quiet', '--initial-branch', 'main');
  for (let number = 1; !isOver(); number++) {
    const isMerge = number % 4 === 0;
    const path = `/pushed/${number}.txt`;
    const attempt = ledger.begin(isMerge ? 'merge' : 'push', projectId, [path]);
    try {
      await catchUp(dir, api, projectId);
      await commitFile(dir, path, number);
      const branch = isMerge ? `topic-${number}` : 'main';
      await git(dir, 'push', '--quiet', remoteOf(api, projectId), `HEAD:refs/heads/${branch}`);
      const sha = isMerge ? await merge(api, projectId, branch) : await git(dir, 'rev-parse', 'HEAD');
      if (sha) ledger.acknowledge(attempt, sha);
    } catch (error) {
      judge(ledger, (error as Error & { stderr?: string }).stderr ?? String(error));
      await pause(300);
    }
    await pause(200, isOver);
  }
}

async function catchUp(dir: string, api: Api, projectId: string): Promise<void> {
  const heads = await git(dir, 'ls-remote', remoteOf(api, projectId), 'refs/heads/main');
  if (heads === '') return;
  await git(dir, 'fetch', '--quiet', remoteOf(api, projectId), 'main');
  await git(dir, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
}

async function commitFile(dir: string, path: string, number: number): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), contentOf(path));
  await git(dir, 'add', '.');
  await git(dir, 'commit', '--quiet', '-m', `Push ${number}`);
}

async function merge(api: Api, projectId: string, source: string): Promise<string | null> {
  const answer = await api.ask('POST', `/v1/projects/${projectId}/merges`, {
    ...{ source, target: 'main', strategy: 'merge' },
  });
  return answer && String(answer.body.sha);
}

/**
 * A push may fail during a fault, since git does not retry. Its message has to be helpful, and must not blame the wrong
 * cause.
 */
function judge(ledger: Ledger, said: string): void {
  ledger.refused('push');
  if (/wrong on our side|corrupt|internal error|error: 500/i.test(said)) {
    ledger.wrongAnswers.push({ what: 'git push', status: 'failed', text: said.slice(0, 300) });
  }
}
