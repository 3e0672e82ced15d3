import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, inject } from 'vitest';
import { childEnvironment } from '../parts/child-environment.ts';
import { waitFor } from '../parts/wait-for.ts';

export type Outcome = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
export type Running = {
  pid: number;
  url: string;
  stdout: () => string;
  /** Signals the process, or with `group` everything that it started, as a terminal's Ctrl-C does. */
  signal(signal: NodeJS.Signals, to?: 'group'): void;
  ended: Promise<Outcome>;
};
type Environment = Record<string, string>;

type Options = {
  /** A command that runs the program. */
  within?: readonly string[];
  /** The program to run: by default the bundle, which loads faster. */
  program?: string;
  node?: string;
};

/** The real command line, with its own data directories, which are removed after the tests of the file. */
export function useCli({
  within = [],
  program = join(inject('bundle'), 'main.js'),
  node = process.execPath,
}: Options = {}) {
  const children = new Set<ChildProcess>();
  const dirs: string[] = [];

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const dir of dirs) {
      // Processes that a killed service leaves behind.
      for (const pid of await processesOf(dir)) process.kill(pid, 'SIGQUIT');
      await waitFor('nothing runs there', async () => (await processesOf(dir)).length === 0);
      await rm(dir, { recursive: true, force: true });
    }
  });

  function launch(args: string[], settings: Environment) {
    const env = { ...childEnvironment(), BOTTEGA_HOST: '127.0.0.1', PORT: '0', ...settings };
    const [first = '', ...all] = [...within, node, program, ...args];
    const child = spawn(first, all, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    const ended = once(child, 'close').then(([code, signal]): Outcome => {
      children.delete(child);
      return { code, signal, ...said };
    });
    return { child, said, ended };
  }

  return {
    async newDataDir(): Promise<string> {
      const dir = await mkdtemp(join(tmpdir(), 'bottega-cli-'));
      dirs.push(dir);
      return join(dir, 'data');
    },

    /** A process that the test ends itself. */
    launch,

    run: (args: string[], settings: Environment = {}): Promise<Outcome> => launch(args, settings).ended,

    /** Starts the service. Waits until the service reports that it runs, or has ended. */
    async start(settings: Environment, args: string[] = []): Promise<Running> {
      const { child, said, ended } = launch(['start', ...args], settings);
      let over: Outcome | undefined;
      ended.then((outcome) => {
        over = outcome;
      });
      await waitFor('it runs', () => over !== undefined || said.stdout.includes('Bottega is running'));
      if (over) throw new Error(`it ended: ${JSON.stringify(over)}`);
      const pid = child.pid ?? 0;
      const url = /Bottega is running at (\S+)/.exec(said.stdout)?.[1] ?? '';
      return {
        pid,
        url,
        stdout: () => said.stdout,
        signal: (signal, to) => void process.kill(to === 'group' ? -pid : pid, signal),
        ended,
      };
    },
  };
}

/**
 * Every process with the directory in its command line or as its working directory: the service's and the database's.
 */
export async function processesOf(dir: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,stat=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(dir) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
}
