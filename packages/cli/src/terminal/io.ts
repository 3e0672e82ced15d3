import type { Readable, Writable } from 'node:stream';

/** The program's access to its environment. Tests replace it. */
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
  /** The command line that starts this program, for git to call. */
  self: readonly string[];
  /** Shows a page in the browser; false if there is none. */
  openPage(url: string): Promise<boolean>;
};
