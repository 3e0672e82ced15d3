import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { pack } from '../../../tools/pack.ts';
import { stagePackage } from './package.ts';

export const run = promisify(execFile);

/** A folder with only the package, as `npm install` puts it there. */
export function useInstalledPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bottega-sdk-user-'));
  beforeAll(async () => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const tarball = await pack(stagePackage, folder);
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
