import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { installation, type Person } from './people.ts';

const run = promisify(execFile);

/** npm's environment variables belong to the checkout that runs the stories. */
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS)/.test(name)));

export type Terminal = {
  /** A folder of its own, in which the command line is installed. */
  home: string;
  /** Runs a program for a person. Throws unless it exits with 0. */
  runAs(person: Person, cwd: string, program: string, ...args: string[]): Promise<string>;
};

/** A terminal with the command line that the service itself serves. */
export function useTerminal(): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'bottega-story-cli-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    ...clean,
    ...{ HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}`, NO_COLOR: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
  };
  beforeAll(async () => {
    const tarball = `${installation().url}/downloads/bottega-cli.tgz`;
    await run('npm', ['install', '--global', '--prefix', home, '--no-audit', '--no-fund', tarball], { env });
  });
  return {
    home,
    async runAs({ key }, cwd, program, ...args) {
      const signedIn = { ...env, BOTTEGA_URL: installation().url, BOTTEGA_TOKEN: key };
      return (await run(program, args, { cwd, env: signedIn })).stdout;
    },
  };
}
