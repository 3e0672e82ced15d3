import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Binaries, findBinaries } from './binaries.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import type { Layout } from './layout.ts';
import { chooseRunAs, commandAs, type RunAs } from './run-as.ts';

export type Programs = Binaries & { runAs: RunAs; version: string };

/**
 * Finds the programs and the user as which to run them. A trial run also detects missing libraries and an incompatible
 * libc.
 */
export async function findPrograms(layout: Layout): Promise<Programs> {
  const binaries = await findBinaries();
  const runAs = await chooseRunAs(binaries.postgres, layout);
  const { file, args, options } = commandAs(runAs, binaries.postgres, ['-V']);
  try {
    const { stdout } = await promisify(execFile)(file, args, options);
    return { ...binaries, runAs, version: /\d+[\d.a-z]*/.exec(stdout)?.[0] ?? stdout.trim() };
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL does not run on this system (set DATABASE_URL instead): ${stderr?.trim() || message}`,
      { cause },
    );
  }
}
