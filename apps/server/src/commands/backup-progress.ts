import type { Progress } from '../backups/index.ts';

export type Tell = (line: string) => void;

const onTerminalMs = 100;
const elsewhereMs = 5_000;

/**
 * Reports progress on standard error, because standard output is for the result. On a terminal, one line is rewritten.
 * Elsewhere, a line is written immediately and then every few seconds, even without progress, to show that the command
 * still runs.
 */
export async function withProgress<Result>(first: string, work: (tell: Tell) => Promise<Result>): Promise<Result> {
  const { stderr } = process;
  let current = first;
  let told = 0;
  const write = () => {
    told = Date.now();
    stderr.write(stderr.isTTY ? `\r\x1b[K${current}` : `${current}\n`);
  };
  write();
  const beat = stderr.isTTY ? undefined : setInterval(write, elsewhereMs);
  try {
    return await work((line) => {
      current = line;
      if (stderr.isTTY && Date.now() - told >= onTerminalMs) write();
    });
  } finally {
    clearInterval(beat);
    if (stderr.isTTY) stderr.write('\r\x1b[K');
  }
}

export const tellProgress =
  (tell: Tell, what: string): Progress =>
  ({ table, bytes }) =>
    tell(`${what}: ${table}, ${(bytes / 1e6).toFixed(0)} MB in total`);
