import { execFile } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { useCli } from '../src/testing/clients/cli.ts';
import { describeUnless } from '../src/testing/parts/programs.ts';
import { isNightly } from '../src/testing/runner/thoroughness.ts';
import { firstSession } from './first-session.fixture.ts';

const run = promisify(execFile);
const server = join(import.meta.dirname, '..');

describe('the bundle', () => {
  const cli = useCli();

  test('serves its pages and completes a first session', async () => {
    await firstSession(await cli.start({ BOTTEGA_DATA_DIR: await cli.newDataDir() }));
  });
});

// To pack and to install it takes longer than most files of tests, and a registry.
if (isNightly) {
  const registry = await run('npm', ['ping']).then(
    () => null,
    () => 'a registry of npm must be reachable',
  );
  describeUnless(registry, 'the package, installed into an empty folder by an ordinary user', () => {
    const home = mkdtempSync(join(tmpdir(), 'bottega-package-'));
    const nobody = process.getuid?.() === 0 ? 65_534 : null;
    const asUser = nobody === null ? [] : ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    const environment = { HOME: home, PATH: `${home}:${process.env.PATH}` };
    // The npm that runs the tests has its settings there, such as a cache that nobody else can write to.
    const withoutNpm = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
    const cli = useCli({
      within: asUser,
      program: join(home, 'node_modules/bottega/bin/bottega.js'),
      node: join(home, 'node'),
    });

    beforeAll(async () => {
      // Ours may be where nobody else can read.
      copyFileSync(process.execPath, join(home, 'node'));
      if (nobody !== null) chownSync(home, nobody, nobody);
      await run('node', ['packaging/prepack.ts'], { cwd: server });
      const packed = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: server });
      await run('node', ['packaging/postpack.ts'], { cwd: server });
      const install = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`];
      const [program = '', ...args] = [...asUser, ...install];
      await run(program, args, { cwd: home, env: { ...withoutNpm, ...environment } });
    }, 400_000);
    afterAll(() => rm(home, { recursive: true, force: true }));

    test('serves its pages and completes a first session', async () => {
      await firstSession(await cli.start({ ...environment, BOTTEGA_DATA_DIR: join(home, 'data') }));
    });
  });
}
