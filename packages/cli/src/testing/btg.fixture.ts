import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll } from 'vitest';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { runCommand } from '../run.ts';
import type { Io } from '../terminal/io.ts';

type Outcome = { code: number; stdout: string; stderr: string };
type Around = Partial<Pick<Io, 'env' | 'cwd' | 'signal'>> & { stdin?: string; isTerminal?: boolean };

export const sources = join(import.meta.dirname, '../main.ts');

/** The program in this process, with its own home and folder. */
export function useBtg() {
  const root = mkdtempSync(join(tmpdir(), 'btg-test-'));
  afterAll(() => rm(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const pages: string[] = [];
  let folders = 0;

  function begin(args: readonly string[], { stdin = '', isTerminal = false, ...around }: Around = {}) {
    const [stdout, stderr] = [gathering(isTerminal), gathering(isTerminal)];
    const io: Io = {
      env: {},
      cwd: root,
      signal: new AbortController().signal,
      ...around,
      ...{ home, stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr },
      self: [process.execPath, sources],
      openPage: async (url) => pages.push(url) > 0,
    };
    const ended = runCommand(args, io).then(
      (code): Outcome => ({ code, stdout: stdout.text(), stderr: stderr.text() }),
    );
    return { ended, said: () => stdout.text() + stderr.text() };
  }

  const btg = (args: readonly string[], around: Around = {}): Promise<Outcome> => begin(args, around).ended;

  return Object.assign(btg, {
    home,
    pages,
    /** Waits until it has printed this; it runs until it is stopped. */
    async start(args: readonly string[], until: string, around: Around = {}) {
      const stopping = new AbortController();
      const { ended, said } = begin(args, { ...around, signal: stopping.signal });
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      await waitFor(`it says ${until}`, () => isOver || said().includes(until));
      return { ended, said, stop: () => stopping.abort() };
    },
    /** Parses a command's output as JSON; it has to succeed. */
    async json<Value>(args: readonly string[], around: Around = {}): Promise<Value> {
      const { code, stdout, stderr } = await btg([...args, '--json'], around);
      if (code !== 0) throw new Error(`btg ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Value;
    },
    async newFolder(): Promise<string> {
      folders += 1;
      const folder = join(root, `folder-${folders}`);
      await mkdir(folder);
      return folder;
    },
  });
}

type Gathering = Writable & { isTTY?: boolean; text(): string };

function gathering(isTerminal: boolean): Gathering {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString(), ...(isTerminal && { isTTY: true }) });
}
