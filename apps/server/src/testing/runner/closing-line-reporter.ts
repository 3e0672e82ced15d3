import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Prints the last line of a run in a machine-readable form. */
export default class ClosingLineReporter implements Reporter {
  readonly #withoutGit: string[];

  constructor({ withoutGit = [] }: { withoutGit?: string[] } = {}) {
    this.#withoutGit = withoutGit;
  }

  /** Says at once why a test failed, because a whole night may pass until the end of the run, or it is interrupted. */
  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') process.stdout.write(`FAILED ${nameOf(test)}: ${reasonToFail(test)}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const skipped: TestCase[] = [];
    for (const module of modules) {
      // Without this, a file that fails before its first test would not count.
      if (module.errors().length > 0) counts.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state]++;
        if (state === 'skipped') skipped.push(test);
        // With `--retry`, a test that passed only on a retry has a race.
        if (test.diagnostic()?.flaky) process.stdout.write(`FLAKY ${nameOf(test)}: ${reasonToFail(test)}\n`);
      }
    }
    tellWhatWasSkipped(skipped, this.#withoutGit);
    const tail = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed + counts.pending} failed${tail}\n`);
  }
}

/**
 * Prints one line for each reason. In CI all requirements are installed, so a skipped test is an error there and is
 * named.
 */
function tellWhatWasSkipped(tests: TestCase[], withoutGit: string[]): void {
  const tell = (count: string, reason: string) => process.stdout.write(`*** NOT TESTED: ${count}: ${reason} ***\n`);
  for (const [reason, { length }] of Map.groupBy(tests, reasonOf)) tell(`${length} tests`, reason);
  if (withoutGit.length > 0) tell(`${withoutGit.length} files`, 'git must be installed');
  const names = [...tests.map(nameOf), ...withoutGit];
  if (names.length === 0 || !process.env.CI) return;
  for (const name of names) process.stdout.write(`SKIPPED ${name}\n`);
  process.exitCode = 1;
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  for (let at: TestCase['parent'] | TestCase = test; at.type !== 'module'; at = at.parent) {
    const { missing } = at.meta();
    if (missing !== undefined) return missing;
  }
  return note ?? 'they are switched off';
}

/** Why the first try of a test failed, so that a race that occurs rarely can be found. */
function reasonToFail(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `${error?.message} (${error?.stacks?.map(({ file, line }) => `${file}:${line}`).join(' < ')})`;
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;
