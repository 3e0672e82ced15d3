import type { Progress } from '../backups/index.ts';

/** On a terminal one line that changes, elsewhere a line every few seconds; always beside the result, which has standard output. */
export function lineOfProgress(): (line: string) => void {
  const { isTTY } = process.stderr;
  let last = Date.now();
  if (isTTY) process.on('exit', () => process.stderr.write('\r\x1b[K'));
  return (line) => {
    const now = Date.now();
    if (now - last < (isTTY ? 100 : 5_000)) return;
    last = now;
    process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

export function tellProgress(what: string): Progress {
  const tell = lineOfProgress();
  return ({ table, bytes }) => tell(`${what}: ${table}, ${(bytes / 1e6).toFixed(0)} MB in all`);
}
