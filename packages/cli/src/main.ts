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
// EPIPE means that the program that reads our output has read enough, as in `btg files cat … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// A service may send malformed data that causes unexpected errors. The messages of such errors may also contain text
// from the service.
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
  // biome-ignore lint/style/noProcessEnv: from here, it is passed to all code that reads it.
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  signal: stopping.signal,
  self: ownCommandLine(program),
  openPage,
});
// An open input must not keep the process alive.
process.stdin.unref?.();

/**
 * The command line that starts this program. If possible, it is the command that npm installed into PATH, because the
 * path of Node may change.
 */
function ownCommandLine(path: string): string[] {
  return extname(path) === '' ? [path] : [process.execPath, ...process.execArgv, path];
}

/** Opens a URL with the desktop's own program. The URL comes from a service, so it never passes through a shell. */
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
