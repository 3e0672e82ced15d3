import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

const forbidden = [
  ["another slice's file", 'apps/server/src/projects/slice.ts', '../users/users.sql.ts'],
  ["another slice's file, from a route", 'apps/server/src/projects/slice.routes.ts', '../users/users.service.ts'],
  ['SQL in a route', 'apps/server/src/projects/sql.routes.ts', './projects.sql.ts'],
  ['a query builder in a route', 'apps/server/src/projects/builder.routes.ts', 'kysely'],
  ['a slice in http', 'apps/server/src/http/slice.ts', '../projects/index.ts'],
  ['a slice in db', 'apps/server/src/db/slice.ts', '../users/index.ts'],
  ['a slice in a folder of db', 'apps/server/src/db/embedded/slice.ts', '../../users/index.ts'],
  ['a slice in jobs', 'apps/server/src/jobs/slice.ts', '../events/index.ts'],
  ['a slice in git', 'apps/server/src/git/slice.ts', '../files/index.ts'],
  ['another slice in events', 'apps/server/src/events/slice.ts', '../projects/index.ts'],
  ['the application in a slice', 'apps/server/src/projects/app.ts', '../app.ts'],
  ['the file system in the contract', 'packages/contract/src/fs.ts', 'node:fs'],
  ['the server in the contract', 'packages/contract/src/server.ts', '../../../apps/server/src/ids.ts'],
] as const;

const allowed = [
  ["another slice's door", 'apps/server/src/projects/door.ts', '../users/index.ts'],
  ['its own SQL in a service', 'apps/server/src/projects/own.service.ts', './projects.sql.ts'],
  ['the ground floor in a slice', 'apps/server/src/projects/ground.ts', '../db/pool.ts'],
  ['typebox in the contract', 'packages/contract/src/box.ts', 'typebox'],
] as const;

/** The project's own rules over a tree of one-line files; the paths of those that break one. */
function refusedFiles(root: string): Set<string> {
  copyFileSync(new URL('../../../../biome.json', import.meta.url), join(root, 'biome.json'));
  for (const [, place, specifier] of [...forbidden, ...allowed]) {
    mkdirSync(dirname(join(root, place)), { recursive: true });
    writeFileSync(join(root, place), `import * as it from '${specifier}';\n\nexport const used = it;\n`);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [biome, 'lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', '.'],
    { cwd: root, encoding: 'utf8' },
  );
  const refusals = stdout.matchAll(/noRestrictedImports,file=([^,]+),/g);
  return new Set([...refusals].map((match) => relative(root, resolve(root, match[1] ?? ''))));
}

const root = mkdtempSync(join(tmpdir(), 'bottega-lint-'));
let refused: Set<string>;
beforeAll(() => {
  refused = refusedFiles(root);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('an import that the house does not allow fails the lint:', () => {
  test.each(forbidden)('%s', (_what, place) => {
    expect(refused).toContain(place);
  });
});

describe('an import that the house allows passes:', () => {
  test.each(allowed)('%s', (_what, place) => {
    expect(refused).not.toContain(place);
  });
});
