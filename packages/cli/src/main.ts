import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { extname } from 'node:path';
import { runCommand } from './run.ts';
import { visible } from './terminal/text.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stopping.abort());
}
// The reader has read enough: `btg files cat … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// A service may send something malformed in an unexpected way. Such errors may contain its text too.
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (error: unknown) => {
    process.stderr.write(`btg: ${visible(error instanceof Error ? error.message : String(error))}\n`);
    process.exit(1);
  });
}

const [, program = '', ...args] = process.argv;

process.exitCode = await runCommand(args, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  // biome-ignore lint/style/noProcessEnv: here it is handed to everything that reads it.
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  signal: stopping.signal,
  self: ownCommandLine(program),
  openPage,
});
// An open input must not keep the process alive.
process.stdin.unref?.();

/** Uses the command that npm put into PATH; the Node that runs it may change. */
function ownCommandLine(path: string): string[] {
  return extname(path) === '' ? [path] : [process.execPath, ...process.execArgv, path];
}

/** Opens it with the desktop's own program. The URL comes from a service, so no shell sees it. */
async function openPage(url: string): Promise<boolean> {
  if (!/^https?:\/\//.test(url)) return false;
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  try {
    const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.unref();
    return true;
  } catch {
    return false;
  }
}
