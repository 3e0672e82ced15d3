import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export type GitRepository = {
  directory: string;
  /** Runs git in the repository. Throws with git's own message if it fails. */
  git(args: string[], input?: string | Buffer, env?: Record<string, string>): Buffer;
  /** The same, as trimmed text. */
  line(args: string[], input?: string | Buffer, env?: Record<string, string>): string;
  /** Runs a shell script there that calls git often: starting a process from one as large as ours takes far longer. */
  runScript(script: string, args?: string[]): string;
};

/** An empty repository for one test file, independent of the machine's settings and removed at the end. */
export function useGitRepository(): GitRepository {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-git-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const isolated = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const run = (program: string, args: string[], input: string | Buffer = '', env = {}) =>
    execFileSync(program, args, {
      cwd: directory,
      input,
      env: { ...isolated, ...env },
      stdio: 'pipe',
      maxBuffer: 1 << 28,
    });
  const git: GitRepository['git'] = (...rest) => run('git', ...rest);
  git(['init', '--quiet', '--initial-branch=main']);
  return {
    directory,
    git,
    line: (...rest) =>
      git(...rest)
        .toString()
        .trim(),
    runScript: (script, args = []) => run('sh', ['-c', script, 'sh', ...args]).toString(),
  };
}
