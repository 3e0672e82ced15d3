import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const stories = ['users/stories/*.story.ts'];
const journeys = ['apps/dashboard/e2e/journeys.story.ts'];

/** User stories against a service in a shape that users run: `npm run test:users -- --shape clone`. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: process.env.USERS_WHAT === 'journeys' ? journeys : stories,
    globalSetup: ['users/setup.ts'],
    reporters: ['default', ['./apps/server/src/testing/runner/closing-line-reporter.ts', { withoutGit: [] }]],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
