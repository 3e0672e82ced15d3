import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeBundle } from '../../../packaging/bundle-clone.ts';

const root = join(import.meta.dirname, '../../../../..');
/** The bundles are below `root`, so that they find the packages that they do not contain. */
const kept = join(root, 'node_modules/.cache/bottega-bundles');
const keptMs = 24 * 3_600_000;

/** A node without the command line, for tests that stop it in special ways. */
const programs = { 'node-process': join(import.meta.dirname, 'node-process.fixture.ts') };

/**
 * The service's folder as the package has it, for processes that tests start: it loads in less than half the time of
 * its sources. It is built once for each state of the sources.
 */
export async function bundleForTests(): Promise<string> {
  const dir = join(kept, await digestOfSources());
  if (existsSync(dir)) return dir;
  await writeBundle(dir, programs);
  await removeOld();
  return dir;
}

async function digestOfSources(): Promise<string> {
  const folders = ['apps/server/src', 'apps/server/packaging', 'packages/contract/src'];
  const sources = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root, exclude: ['**/*.test.ts'] },
  );
  const hash = createHash('sha256').update(root);
  for (const path of [...sources.sort(), 'package-lock.json']) {
    hash.update(`\0${path}\0`).update(await readFile(join(root, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOld(): Promise<void> {
  for (const path of globSync(join(kept, '*'))) {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > keptMs) await rm(path, { recursive: true });
  }
}
