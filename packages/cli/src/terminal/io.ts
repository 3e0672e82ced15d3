import type { Readable, Writable } from 'node:stream';

/** What the program has of the world around it. Tests give it another one. */
export type Io = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  /** Ends what waits: Ctrl-C, or whoever stops the program. */
  signal: AbortSignal;
  /** The command line that starts this program, for git to call. */
  self: readonly string[];
  /** Shows a page in the browser; false where there is none. */
  openPage(url: string): Promise<boolean>;
};
