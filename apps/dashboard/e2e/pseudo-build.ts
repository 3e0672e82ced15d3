import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

/** Builds the dashboard with the language `en-XA`, which no build for users has. */
export async function buildWithPseudoLanguage(folder: string): Promise<void> {
  const options = ['build', '--mode', 'pseudo', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'];
  // Tests have another mode, in which React is slower and says more.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, ...options], { cwd: join(import.meta.dirname, '..'), env });
}
