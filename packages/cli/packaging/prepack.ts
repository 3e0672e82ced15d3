import { existsSync, readFileSync, renameSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licencesOf, noticeOf } from '../../../apps/server/packaging/licences.ts';
import { manualOf } from '../src/commands/manual.ts';
import { createProgram } from '../src/program.ts';
import { bundleCli } from './bundle.ts';

/**
 * Makes this folder what `npm pack` is to pack: the bundle, the manual page, and a package.json without what is in the
 * bundle. The one of the sources, which a clone needs, is put aside until `postpack.ts`.
 */

const cli = join(import.meta.dirname, '..');
const manifest = join(cli, 'package.json');
const aside = join(cli, 'package.source.json');

// A run that was interrupted has left what it made.
if (existsSync(aside)) renameSync(aside, manifest);

const modules = await bundleCli(join(cli, 'dist'));
await writeFile(join(cli, 'NOTICE'), noticeOf(licencesOf(modules)));
await copyFile(join(cli, '../../LICENSE'), join(cli, 'LICENSE'));
await writeFile(join(cli, 'btg.1'), manualOf(createProgram(() => async () => undefined)));

const { scripts, devDependencies, private: _, ...kept } = JSON.parse(readFileSync(manifest, 'utf8'));
renameSync(manifest, aside);
await writeFile(manifest, `${JSON.stringify({ ...kept, man: './btg.1' }, null, 2)}\n`);
