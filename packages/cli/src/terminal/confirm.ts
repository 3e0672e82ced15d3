import { createInterface } from 'node:readline/promises';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { visible } from './text.ts';

/** Asks before data is lost. A script passes `--yes`. */
export async function confirm(io: Io, question: string, isAgreed: boolean | undefined): Promise<void> {
  if (isAgreed) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new Failure('usage', `${question} Confirmation requires a terminal.`, 'Use --yes to confirm.');
  }
  const asking = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await asking.question(`${visible(question)} [y/N] `, { signal: io.signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'Nothing was changed.');
  } finally {
    asking.close();
  }
}
