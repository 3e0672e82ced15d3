import { execFile } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePortPair } from '../../apps/server/src/testing/parts/free-port.ts';
import type { Settings, Shape } from './shape.ts';
import { startService } from './start-service.ts';

const run = promisify(execFile);
const server = join(import.meta.dirname, '../../apps/server');

/** The package from `npm run package`, installed into an empty folder by an ordinary user. */
export const installedPackage: Shape = { name: 'package', start: startPackage };

async function startPackage(settings: Settings = {}) {
  // Below the disk's own temporary directory: one in memory may forbid running programs.
  const home = mkdtempSync(join(tmpdir(), 'bottega-package-'));
  // Our Node may be in a place that others cannot read.
  copyFileSync(process.execPath, join(home, 'node'));
  const user = process.getuid?.() === 0 ? 65_534 : null;
  if (user !== null) chownSync(home, user, user);
  const asUser = user === null ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  await run('node', ['packaging/prepack.ts'], { cwd: server });
  const packed = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: server });
  await run('node', ['packaging/postpack.ts'], { cwd: server });
  const own = { HOME: home, PATH: `${home}:${process.env.PATH}` };
  const install = ['npm', 'install', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`];
  const [program = '', ...args] = [...asUser, ...install];
  await run(program, args, { cwd: home, env: { ...withoutNpm(), ...own } });
  const PORT = String(await freePortPair());
  const env = { ...own, PORT, BOTTEGA_DATA_DIR: join(home, '.bottega'), ...settings };
  const command = [...asUser, 'npx', 'bottega'];
  return startService({
    start: command,
    operator: { command, elsewhere: command, folder: home, cwd: home, env },
    stopped: () => rm(home, { recursive: true, force: true }),
  });
}

/** The npm that runs the tests has its settings there, such as a cache that nobody else can write to. */
const withoutNpm = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
