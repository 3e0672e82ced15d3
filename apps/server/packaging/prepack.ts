import { existsSync, readFileSync, renameSync } from 'node:fs';
import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleServer, leftOut, shippedFolders } from './bundle.ts';
import { type Licence, licencesOf, noticeOf } from './licences.ts';

/**
 * Makes this folder what `npm pack` is to pack: the bundle, and a package.json that names only what is not in it. The one
 * of the sources, which a clone needs, is put aside until `postpack.ts`.
 */

const server = join(import.meta.dirname, '..');
const root = join(server, '../..');
const bundle = join(server, 'dist');
const manifest = join(server, 'package.json');
const aside = join(server, 'package.source.json');

// A run that was interrupted has left what it made.
if (existsSync(aside)) renameSync(aside, manifest);

const modules = await bundleServer(bundle);
for (const [name, folder] of Object.entries(shippedFolders)) {
  const isSource = (path: string) => name === 'seccomp' && /\.(ts|json)$/.test(path);
  await cp(folder, join(bundle, name), { recursive: true, filter: (path) => !isSource(path) });
}
const ofPages: Licence[] = [];
for (const name of ['dashboard', 'guide']) {
  const list = join(bundle, name, 'licences.json');
  ofPages.push(...JSON.parse(await readFile(list, 'utf8')));
  await rm(list);
}
// The search of the guide and the fonts are no modules of a build.
const others = ['pagefind', '@fontsource-variable/geist', '@fontsource-variable/geist-mono'];
const packages = others.map((name) => join(root, 'node_modules', name, 'package.json'));
await writeFile(join(server, 'NOTICE'), noticeOf([...licencesOf([...modules, ...packages]), ...ofPages]));
for (const name of ['LICENSE', 'README.md']) await copyFile(join(root, name), join(server, name));

const source = JSON.parse(readFileSync(manifest, 'utf8'));
const { scripts, devDependencies, private: _, dependencies, ...kept } = source;
const stays = Object.entries<string>(dependencies).filter(([name]) => leftOut.test(name));
renameSync(manifest, aside);
await writeFile(manifest, `${JSON.stringify({ ...kept, dependencies: Object.fromEntries(stays) }, null, 2)}\n`);
