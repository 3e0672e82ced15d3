import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import type { Reached } from '../../testing/service/test-service.ts';
import { hashObject, type ObjectType } from '../objects/objects.ts';

export type GitAnswer = { ok: boolean; stdout: string; stderr: string };

export type Clone = {
  directory: string;
  /** Runs git there. The test fails if git fails. */
  git(...args: string[]): Promise<string>;
  /** The same, for a failure that is expected. */
  tryGit(...args: string[]): Promise<GitAnswer>;
  /** Runs a script there with any exit code, to call git hundreds of times from one process. */
  shell(script: string): Promise<string>;
  write(path: string, content: string | Buffer): Promise<void>;
  commit(message: string, files?: Record<string, string | Buffer>): Promise<string>;
  /** Writes an object as git would, without starting a process for each of thousands. */
  store(type: ObjectType, content: Buffer): Promise<Buffer>;
};

const settings = '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n';

/** Runs in a shell, because starting a process from one as large as ours takes longer than git's work. */
const commitAll = 'git add --all && git commit --quiet --allow-empty -m "$1" && git rev-parse HEAD';

/** A temporary directory for one test file. The real git binary works in it, as on a user's machine. */
export function useDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `bottega-${name}-`));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function useGitClient(service: Reached) {
  const root = useDirectory('client');
  const settingsFile = join(root, 'settings');
  writeFileSync(settingsFile, settings);
  let made = 0;

  /** Runs asynchronously, because the service answers from this same process. */
  function start(program: string, directory: string, args: string[], env: Record<string, string>): Promise<GitAnswer> {
    return new Promise((resolve) => {
      execFile(
        program,
        args,
        {
          cwd: directory,
          maxBuffer: 1 << 28,
          env: {
            PATH: process.env.PATH ?? '',
            HOME: root,
            LC_ALL: 'C',
            GIT_TERMINAL_PROMPT: '0',
            GIT_CONFIG_NOSYSTEM: '1',
            GIT_CONFIG_GLOBAL: settingsFile,
            ...env,
          },
        },
        (error, stdout, stderr) => resolve({ ok: error === null, stdout, stderr }),
      );
    });
  }
  const run = (directory: string, args: string[], env: Record<string, string> = {}) =>
    start('git', directory, args, env);

  function at(directory: string): Clone {
    const clone: Clone = {
      directory,
      tryGit: (...args) => run(directory, args),
      async git(...args) {
        const answer = await run(directory, args);
        expect(answer.ok, `git ${args.join(' ')}: ${answer.stderr}`).toBe(true);
        return answer.stdout.trim();
      },
      shell: async (script) => (await start('sh', directory, ['-c', script], {})).stdout.trim(),
      async write(path, content) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), content);
      },
      async commit(message, files = {}) {
        for (const [path, content] of Object.entries(files)) await clone.write(path, content);
        const { ok, stdout, stderr } = await start('sh', directory, ['-c', commitAll, 'sh', message], {});
        expect(ok, stderr).toBe(true);
        return stdout.trim();
      },
      async store(type, content) {
        const sha = hashObject(type, content);
        const [folder, name] = [sha.toString('hex', 0, 1), sha.toString('hex', 1)];
        const loose = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
        await clone.write(`.git/objects/${folder}/${name}`, deflateSync(loose));
        return sha;
      },
    };
    return clone;
  }

  const addressOf = (projectId: string, password: string, user = 'x') =>
    `${service.url.replace('://', `://${user}:${password}@`)}/git/${projectId}.git`;

  return {
    root,
    run,
    at,
    addressOf,
    /** A clone with the user's key in its remote URL, as a user would make it. */
    async clone(projectId: string, { key }: { key: string }, ...options: string[]): Promise<Clone> {
      const directory = join(root, `clone-${++made}`);
      await at(root).git('clone', '--quiet', ...options, addressOf(projectId, key), directory);
      return at(directory);
    },
    tryClone(projectId: string, key: string): Promise<GitAnswer> {
      return at(root).tryGit('clone', addressOf(projectId, key), join(root, `clone-${++made}`));
    },
    async repository(): Promise<Clone> {
      const directory = join(root, `repository-${++made}`);
      await mkdir(directory);
      await at(directory).git('init', '--quiet');
      return at(directory);
    },
  };
}

type Listed = { id: string; path: string; type: string; size: number; checksum: string };

/** The files that REST shows, by path, with their contents. */
export async function filesByRest(
  service: Reached,
  { key }: { key: string },
  projectId: string,
): Promise<Map<string, { id: string; content: Buffer }>> {
  const base = `${service.url}/v1/projects/${projectId}/files`;
  const listing = await call<{ data: Listed[] }>('GET', `${base}?recursive=true&type=file`, { token: key });
  expect(listing.status, listing.text).toBe(200);
  const files = new Map<string, { id: string; content: Buffer }>();
  for (const { id, path } of listing.body.data) {
    const response = await fetch(`${base}/${id}/content`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    files.set(path, { id, content: Buffer.from(await response.arrayBuffer()) });
  }
  return files;
}

export async function putFile(
  service: Reached,
  { key }: { key: string },
  projectId: string,
  [path, content]: [string, string | Buffer],
): Promise<void> {
  const url = `${service.url}/v1/projects/${projectId}/files?path=${encodeURIComponent(path)}`;
  const answer = await call('PUT', url, {
    token: key,
    body: new Uint8Array(Buffer.from(content)),
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect([200, 201], answer.text).toContain(answer.status);
}
