import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { memoryDirectory } from './apps/server/src/testing/parts/memory-directory.ts';
import { testsWithoutGit } from './apps/server/src/testing/parts/without-git.ts';
import { isNightly } from './apps/server/src/testing/runner/thoroughness.ts';

// Tests start many processes that load the whole service: compiled once, it is loaded faster.
// biome-ignore lint/style/noProcessEnv: it is meant for the processes, not for the service.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'bottega-compiled');
// biome-ignore lint/style/noProcessEnv: temporary directories are made by many programs, and this is what all of them ask.
process.env.TMPDIR ??= memoryDirectory() ?? tmpdir();

const testFiles = ['apps', 'packages', 'bench', 'tools', 'users'].map((folder) => `${folder}/**/*.test.ts`);
const alone = [
  'apps/server/src/testing/contract/at-the-limits.nightly.test.ts',
  'apps/server/src/deployments/logs/flood.nightly.test.ts',
  'apps/server/src/deployments/serving/contents.test.ts',
];
const withoutGit = testsWithoutGit(testFiles);
/** What no change can wait for. CONTRIBUTING.md says what that is. */
const byNight = isNightly ? [] : ['**/*.nightly.test.ts'];

export default defineConfig({
  test: {
    // To load the service and to compile its schemas takes longer than most files of tests, so they share two processes.
    // A file that needs one of its own, to replace a module or to measure memory, is named here.
    projects: [
      {
        extends: true,
        test: {
          ...{ name: 'shared', isolate: false },
          ...{ include: testFiles, exclude: [...configDefaults.exclude, ...alone, ...withoutGit, ...byNight] },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: [...configDefaults.exclude, ...byNight] } },
    ],
    globalSetup: ['apps/server/src/testing/runner/global-setup.ts'],
    reporters: ['default', ['./apps/server/src/testing/runner/closing-line-reporter.ts', { withoutGit }]],
    // Files share one PostgreSQL; each has a database of its own. They wait for processes and timers a third of their time.
    maxWorkers: 3,
    // No test asserts speed: a machine that has much else to do needs several times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
