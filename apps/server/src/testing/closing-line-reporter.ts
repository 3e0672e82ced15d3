import type { Reporter, TestModule } from 'vitest/node';

/** The last line of a run, in a form that any machine reads. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that breaks before its first test would otherwise count for nothing.
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        counts[test.result().state]++;
        // With `--retry`, what passed only at a further try is a race that somebody has to find.
        if (test.diagnostic()?.flaky) process.stdout.write(`FLAKY ${module.relativeModuleId} > ${test.fullName}\n`);
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed + counts.pending} failed${skipped}\n`);
  }
}
