import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf, noticeOf } from '../../../apps/server/packaging/licences.ts';
import { manualOf } from '../src/commands/manual.ts';
import { createProgram } from '../src/program.ts';

const cli = join(import.meta.dirname, '..');
const root = join(cli, '../..');

/** Writes the package for npm: a bundle without dependencies, a manual page, and the documentation. */
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
