import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { licencesOf, noticeOf } from '../../../apps/server/packaging/licences.ts';
import { manualOf } from '../src/commands/manual.ts';
import { createProgram } from '../src/program.ts';

const cli = join(import.meta.dirname, '..');
const root = join(cli, '../..');

/** Writes the package as npm is to have it: a bundle that needs nothing else, a manual page, and what is told of them. */
export async function stagePackage(folder: string): Promise<void> {
  const modules = await bundle(join(folder, 'dist'));
  await cp(join(cli, 'bin'), join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'btg.1'), manualOf(createProgram(() => async () => undefined)));
  await writeFile(join(folder, 'NOTICE'), noticeOf(licencesOf(modules)));
  await copyFile(join(cli, 'README.md'), join(folder, 'README.md'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { devDependencies, private: _, ...kept } = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'));
  const manifest = { ...kept, man: ['./btg.1'], files: ['bin', 'dist', 'btg.1', 'NOTICE'] };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the files that went into it. */
async function bundle(dir: string): Promise<string[]> {
  const build = await rolldown({ input: { main: join(cli, 'src/main.ts') }, platform: 'node' });
  const { output } = await build.write({ dir, format: 'es', cleanDir: true });
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Returns the path of the tarball. */
export async function packInto(destination: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bottega-cli-'));
  try {
    await stagePackage(folder);
    await mkdir(destination, { recursive: true });
    const options = ['--pack-destination', destination, '--loglevel', 'error'];
    const { stdout } = await promisify(execFile)('npm', ['pack', ...options], { cwd: folder });
    return join(destination, stdout.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}
