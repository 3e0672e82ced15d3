import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/security.md',
  ...globSync('docs/decisions/*.md', { cwd: root }),
];

/**
 * Files, and folders with a trailing slash. Paths start at the root or at the server's source; a bare name in a table
 * starts at the folder of the path before it.
 */
function missingPaths(page: string): string[] {
  const missing: string[] = [];
  for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
    let folder = '';
    for (const [, path = ''] of line.matchAll(/`([\w.][\w./-]*(?:\.tsx?|\.md|\/))`/g)) {
      if (path.includes('/')) folder = dirname(path);
      else if (!line.startsWith('|')) continue;
      const candidates = [path, join('apps/server/src', path), join('apps/server/src', folder, path)];
      if (!candidates.some((candidate) => existsSync(join(root, candidate)))) missing.push(path);
    }
  }
  return missing;
}

describe('every file and folder that a page names exists:', () => {
  test.each(pages)('%s', (page) => {
    expect(missingPaths(page)).toEqual([]);
  });
});
