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
    const options = ['--pack-destination', destination, '--loglevel', 'error'];
    const { stdout } = await promisify(execFile)('npm', ['pack', ...options], { cwd: folder });
    return join(destination, stdout.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}
