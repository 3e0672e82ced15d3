#!/usr/bin/env node
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/main.js', import.meta.url);
const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  process.stderr.write(`btg: this is Node ${process.versions.node}; it needs 20 or newer.\n`);
  process.exit(1);
}
// A clone has the sources, the package a bundle of them.
await import(existsSync(bundle) ? bundle.href : '../src/main.ts');
