import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every file of tests is a process of its own that loads the whole service: compiled once, it is loaded faster.
// biome-ignore lint/style/noProcessEnv: it is meant for the processes, not for the service.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'bottega-compiled');

export default defineConfig({
  test: {
    include: [
      'apps/server/**/*.test.ts',
      'apps/dashboard/**/*.test.ts',
      'packages/**/*.test.ts',
      'bench/**/*.test.ts',
      'tools/**/*.test.ts',
    ],
    globalSetup: ['apps/server/src/testing/global-setup.ts'],
    reporters: ['default', './apps/server/src/testing/closing-line-reporter.ts'],
    // Files share one PostgreSQL and two cores; each has a database of its own.
    maxWorkers: 2,
    // No test asserts speed: a machine that has much else to do needs several times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
