import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Stages a package in a folder as npm should get it, and packs that folder. Returns the path of the tarball. */
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

/**
 * An npm process that runs this, such as `npm pack -w bottega`, passes its options down, but they are not meant for
 * this one.
 */
function withoutNpm(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: it is handed down without what is npm's.
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}
