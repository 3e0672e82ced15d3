import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Largest first load of a browser, and what a project needs beyond it before it shows something, gzipped, in bytes:
 * gzip is the weaker of the two compressions on offer. The font is not part of it, because nothing waits for it.
 */
const limits = { first: 150 * 1024, project: 40 * 1024 };
const dist = join(import.meta.dirname, 'dist');

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const first = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
const screens: Record<string, string[]> = JSON.parse(readFileSync(join(dist, 'screens.json'), 'utf8'));

const inKiB = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

function checkSize(title: string, paths: readonly string[], limit: number, advice: string): void {
  const sizes = paths.map((path) => ({ path, bytes: readFileSync(join(dist, `${path}.gz`)).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  process.stdout.write(`${title}: ${inKiB(total)} gzipped of ${inKiB(limit)} in ${sizes.length} files\n`);
  if (total <= limit && sizes.length > 0) return;
  for (const { path, bytes } of sizes) process.stderr.write(`  ${path} ${inKiB(bytes)}\n`);
  process.stderr.write(`${title} is too large: ${advice}\n`);
  process.exitCode = 1;
}

checkSize('First load', first, limits.first, 'import the part that grew where it is needed, not in main.tsx');
const overview = screens['overview/overview-screen.tsx'] ?? [];
checkSize('A project', overview, limits.project, 'load menus and dialogs when they are shown, or see vite.config.ts');
