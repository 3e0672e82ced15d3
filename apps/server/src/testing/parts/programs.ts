import { describe, test } from 'vitest';
import { isInstalled, missingPackages } from './installed.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks for the tests, as a sentence for the closing line of the run. */
    missing?: string;
  }
}

/** Whether all of these programs of the system are installed. */
export const hasPrograms = (names: readonly string[]): boolean => names.every(isInstalled);

/** Skips tests that need missing programs, and reports it. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  describeUnless(missingPackages(programs), name, tests);
}

/** For tests that need mounts, or to change the user. */
export function describeAsRoot(name: string, tests: () => void): void {
  const isPossible = process.getuid?.() === 0 && hasPrograms(['unshare']);
  describeUnless(isPossible ? null : 'root and util-linux are needed', name, tests);
}

export function testAsRoot(name: string, run: () => Promise<void>): void {
  if (process.getuid?.() === 0) test(name, run);
  else test.skip(name, { meta: { missing: 'root is needed' } }, run);
}

export function describeUnless(missing: string | null, name: string, tests: () => void): void {
  if (missing === null) describe(name, tests);
  else describe.skip(name, { meta: { missing } }, tests);
}
