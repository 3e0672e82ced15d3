import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Largest first load of a browser, gzipped, in bytes: gzip is the weaker of the two compressions on offer. The font is
 * not part of it, because nothing waits for it.
 */
const limit = 152 * 1024;
const dist = join(import.meta.dirname, 'dist');

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
const sizes = first.map((path) => ({ path, bytes: readFileSync(join(dist, `${path}.gz`)).length }));
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);

const inKiB = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
process.stdout.write(`First load: ${inKiB(total)} gzipped of ${inKiB(limit)} in ${sizes.length} files\n`);
if (total > limit || sizes.length === 0) {
  for (const { path, bytes } of sizes) process.stderr.write(`  ${path} ${inKiB(bytes)}\n`);
  process.stderr.write('The first load is too large: import the part that grew where it is needed, not in main.tsx\n');
  process.exitCode = 1;
}
