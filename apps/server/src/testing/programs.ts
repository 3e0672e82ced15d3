import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Whether all of these programs of the system are installed. */
export function hasPrograms(names: readonly string[]): boolean {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
  return names.every((name) => directories.some((directory) => existsSync(join(directory, name))));
}

/** Skips, with one loud line, what needs programs that are not here. In CI that is an error. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  if (hasPrograms(programs)) return void describe(name, tests);
  skipLoudly(name, `${programs.join(', ')} must be installed`, tests);
}

/** For what needs mounts of its own. */
export function describeAsRoot(name: string, tests: () => void): void {
  if (process.getuid?.() === 0 && hasPrograms(['unshare'])) return void describe(name, tests);
  skipLoudly(name, 'it needs root and unshare (util-linux)', tests);
}

function skipLoudly(name: string, why: string, tests: () => void): void {
  const line = `NOT TESTED: ${name}: ${why}`;
  if (process.env.CI) throw new Error(line);
  process.stderr.write(`\n*** ${line} ***\n\n`);
  describe.skip(name, tests);
}
