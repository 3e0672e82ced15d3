import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sdk = join(import.meta.dirname, '..');
const root = join(sdk, '../..');
const tsc = join(root, 'node_modules/.bin/tsc');

/** Writes the package for npm: JavaScript and types, file by file, and the documentation. */
export function stagePackage(folder: string): void {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  execFileSync(tsc, ['-p', join(sdk, 'tsconfig.build.json'), '--outDir', dist]);
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts')) nameJavaScript(join(dist, file));
  }
  copyFileSync(join(sdk, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** The compiler leaves the names of source files in declarations. */
function nameJavaScript(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/(from |import\()'(\.[^']+)\.ts'/g, "$1'$2.js'"));
}

function manifest() {
  const {
    scripts,
    devDependencies,
    private: _,
    exports,
    ...kept
  } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  const entries = Object.entries<string>(exports).map(([entry, source]) => {
    const built = source.replace('./src/', './dist/').replace(/\.ts$/, '');
    return [entry, { types: `${built}.d.ts`, default: `${built}.js` }];
  });
  return { ...kept, exports: Object.fromEntries(entries), files: ['dist'] };
}
