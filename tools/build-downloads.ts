import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Download, downloadsFolder } from '../apps/server/src/downloads/built-downloads.ts';
import { stagePackage as stageCli } from '../packages/cli/packaging/package.ts';
import { stagePackage as stageSdk } from '../packages/sdk/packaging/package.ts';
import { pack } from './pack.ts';

/**
 * `node tools/build-downloads.ts`, the last part of `npm run build`: writes the files that an instance serves at
 * /downloads/.
 */

const root = join(import.meta.dirname, '..');
const clients = [
  { name: 'bottega-cli.tgz', source: 'packages/cli', stage: stageCli },
  { name: 'bottega-sdk.tgz', source: 'packages/sdk', stage: stageSdk },
];

// Written under another name first: a service that starts meanwhile finds all of it, or nothing.
const unfinished = `${downloadsFolder}-${process.pid}`;
await mkdir(unfinished, { recursive: true });
const files: Download[] = [];
for (const { name, source, stage } of clients) {
  await rename(await pack(stage, unfinished), join(unfinished, name));
  const manifest = JSON.parse(await readFile(join(root, source, 'package.json'), 'utf8'));
  files.push({ name, package: manifest.name, version: manifest.version });
}
await writeFile(join(unfinished, 'index.json'), `${JSON.stringify(files, null, 2)}\n`);
await rm(downloadsFolder, { recursive: true, force: true });
await rename(unfinished, downloadsFolder);
