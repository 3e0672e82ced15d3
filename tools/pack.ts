import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Has a package written into a folder of its own, as npm is to have it, and packs that. Returns the path of the tarball. */
export async function pack(stage: (folder: string) => Promise<void> | void, destination: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bottega-package-'));
  try {
    await stage(folder);
    await mkdir(destination, { recursive: true });
    const options = ['--pack-destination', destination, '--loglevel', 'error', '--no-update-notifier'];
    const { stdout } = await promisify(execFile)('npm', ['pack', ...options], { cwd: folder, env: withoutNpm() });
    return join(destination, stdout.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An npm that runs this, such as that of `npm pack -w bottega`, hands its options down, and they are not meant for this one. */
function withoutNpm(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: it is handed down without what is npm's.
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}
