#!/usr/bin/env node
// Plain JavaScript that any Node understands: npm and npx put the project's own Node first, a direct call may not.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import('../src/main.ts');
} else {
  const pinned = createRequire(import.meta.url).resolve('node/bin/node');
  const child = spawn(pinned, [import.meta.filename ?? process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
