import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['apps/server/**/*.test.ts', 'apps/dashboard/**/*.test.ts', 'packages/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['apps/server/src/testing/global-setup.ts'],
    reporters: ['default', './apps/server/src/testing/closing-line-reporter.ts'],
    // Files share one PostgreSQL and two cores; each has a database of its own.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
