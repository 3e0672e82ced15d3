import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What users do, against a service in a shape that users run: `npm run test:users -- --shape clone`. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['users/stories/*.story.ts'],
    globalSetup: ['users/setup.ts'],
    reporters: ['default', ['./apps/server/src/testing/closing-line-reporter.ts', { withoutGit: [] }]],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
