#!/usr/bin/env node
// Plain JavaScript that any Node understands: npm and npx put the Node of a clone first, whoever else calls this may not.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldest = 24;

if (Number(process.versions.node.split('.')[0]) >= oldest) {
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? (freshBundle() ?? sources).href : '../dist/main.js');
} else {
  const child = spawn(findNode(), [import.meta.filename ?? process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/** In a clone, `npm ci` makes a bundle, which starts faster and takes less memory. None if a source is newer. */
function freshBundle() {
  const root = new URL('../../../', import.meta.url);
  const bundle = new URL('node_modules/.cache/bottega/main.js', root);
  if (!existsSync(bundle)) return undefined;
  const { mtimeMs } = statSync(bundle);
  const isNewer = (path) => statSync(path).mtimeMs > mtimeMs;
  const sources = ['apps/server/src', 'packages/contract/src'].map((folder) => fileURLToPath(new URL(folder, root)));
  const all = sources.flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  ]);
  return [...all, new URL('package-lock.json', root)].some(isNewer) ? undefined : bundle;
}

function findNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    return fetchNode();
  }
}

/**
 * The package brings no Node: it would be three times as large, also for those who have one that is new enough. npm keeps
 * what it fetches here in its own cache, and finds it there without asking anybody.
 */
function fetchNode() {
  const { arch, platform, version } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const wanted = ['--yes', '--prefer-offline', `--package=${name}@${oldest}`];
  const { status, stdout } = spawnSync('npm', ['exec', ...wanted, '--call', 'command -v node'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout.trim();
  process.stderr.write(`bottega: Node ${oldest} or newer is needed, this is ${version}, and npm could fetch none\n`);
  process.exit(1);
}
