import type { Readable, Writable } from 'node:stream';

/** How the program accesses its environment. Tests replace it. */
export type Io = {
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  /** A terminal has a size, and a `resize` event. */
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  /** Aborted by Ctrl-C, or another request to stop. */
  signal: AbortSignal;
  /** The command line that starts this program. Git uses it. */
  self: readonly string[];
  /** Shows a page in the browser. False if there is no browser. */
  openPage(url: string): Promise<boolean>;
};
